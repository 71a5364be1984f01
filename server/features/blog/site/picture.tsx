import { initials } from '@/server/platform/http/static-page';
import { safeSrcset, safeUrl } from './addresses';
import type { Picture } from './site';

interface CoverProps {
  picture: Picture | null;
  /** How wide it is shown, as in the `sizes` attribute. */
  sizes: string;
  /** The first picture a reader sees is fetched before all else, the others when they come near. */
  first?: boolean;
  /** Nothing to say to those who cannot see it, because the link around it has words. */
  decorative?: boolean;
}

/** A cover in a box that has its height before the picture has arrived. Nothing for a picture that may not be shown. */
export function Cover({ picture, sizes, first = false, decorative = false }: CoverProps) {
  const url = picture && safeUrl(picture.url);
  if (!picture || !url) return null;
  const sized = picture.width !== null && picture.height !== null && picture.width > 0 && picture.height > 0;
  const srcSet = safeSrcset(picture);
  return (
    // biome-ignore lint/performance/noImgElement: Next.js has no part in these pages.
    <img
      className={sized ? 'cover' : 'cover boxed'}
      src={url}
      srcSet={srcSet}
      sizes={srcSet && sizes}
      width={sized ? (picture.width ?? undefined) : undefined}
      height={sized ? (picture.height ?? undefined) : undefined}
      alt={decorative ? '' : picture.alt}
      decoding="async"
      {...(first ? { fetchPriority: 'high' as const } : { loading: 'lazy' as const })}
    />
  );
}

/** The author's picture, else initials; decoration in either case, since the name stands beside it. */
export function Avatar({ name, url, language }: { name: string; url: string; language: string }) {
  const safe = safeUrl(url);
  // biome-ignore lint/performance/noImgElement: as above.
  if (safe) return <img className="avatar" src={safe} width="40" height="40" alt="" decoding="async" loading="lazy" />;
  const letters = initials(name, language);
  return letters === '' ? null : (
    <span className="avatar" aria-hidden="true">
      {letters}
    </span>
  );
}
