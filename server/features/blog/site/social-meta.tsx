import { absoluteUrl, fullUrl } from './addresses';
import type { Site, SocialImage } from './site';
import type { SiteLocale } from './site-locale';

interface SocialMetaProps {
  site: Site;
  locale: SiteLocale;
  type: 'website' | 'article';
  title: string;
  description: string;
  /** Root-relative. */
  path: string;
  image: SocialImage | null;
  imageAlt: string;
}

/** Description, canonical URL, Open Graph (ogp.me) and the card of X, which falls back on Open Graph for missing properties. */
export function SocialMeta({ site, locale, type, title, description, path, image, imageAlt }: SocialMetaProps) {
  const picture = image && absoluteUrl(site, image.url);
  return (
    <>
      {description !== '' && <meta name="description" content={description} />}
      <link rel="canonical" href={fullUrl(site, path)} />
      <meta property="og:type" content={type} />
      <meta property="og:site_name" content={site.title} />
      <meta property="og:title" content={title} />
      {description !== '' && <meta property="og:description" content={description} />}
      <meta property="og:url" content={fullUrl(site, path)} />
      <meta property="og:locale" content={locale.ogLocale} />
      {image && picture && (
        <>
          <meta property="og:image" content={picture} />
          <meta property="og:image:width" content={String(image.width)} />
          <meta property="og:image:height" content={String(image.height)} />
          <meta property="og:image:alt" content={imageAlt} />
        </>
      )}
      <meta name="twitter:card" content={picture ? 'summary_large_image' : 'summary'} />
    </>
  );
}
