import { RemoteImage } from '@/app/_kit/remote-image';
import { descriptionLength, pictureSources } from '@/app/(dashboard)/posts/_components/post-labels';

interface SharePreviewsProps {
  title: string;
  /** The description for search engines and cards. */
  description: string;
  siteName: string;
  /** URL of the blog, without a trailing slash; undefined until it is loaded. */
  siteUrl: string | undefined;
  slug: string;
  coverImageUrl: string;
  authorName: string;
}

/** The approximate limit of a title in search results, in characters. */
const titleLength = 60;

function cut(text: string, length: number): string {
  const characters = [...text.replace(/\s+/g, ' ').trim()];
  return characters.length <= length
    ? characters.join('')
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
}

/** Approximate previews of the post in search results and shared links, since each service has its own style. */
export function SharePreviews(props: SharePreviewsProps) {
  const { siteName, siteUrl, slug, coverImageUrl, authorName } = props;
  const title = props.title.trim() || 'Untitled post';
  const description = cut(props.description, descriptionLength);
  const host = siteUrl ? new URL(siteUrl).host : '';
  const path = siteUrl ? new URL(siteUrl).pathname.split('/').filter(Boolean) : [];
  return (
    <>
      <figure>
        <figcaption className="label mb-1.5">Google preview</figcaption>
        <div className="rounded-md border border-border bg-surface p-3">
          <p className="truncate text-xs text-muted">{[host, ...path, slug || '…'].join(' › ')}</p>
          <p className="mt-0.5 text-base leading-5 wrap-anywhere text-info-text">{cut(title, titleLength)}</p>
          <p className="mt-1 text-label wrap-anywhere text-muted">{description || 'The first sentences appear here.'}</p>
        </div>
      </figure>
      <figure>
        <figcaption className="label mb-1.5">Social preview</figcaption>
        <div className="overflow-hidden rounded-md border border-border bg-surface">
          <CardPicture key={coverImageUrl} url={coverImageUrl} title={title} siteName={siteName} authorName={authorName} />
          <div className="border-t border-border p-3">
            <p className="text-xs text-muted">{host}</p>
            <p className="truncate font-medium" title={title}>
              {title}
            </p>
            {description && <p className="line-clamp-2 text-label wrap-anywhere text-muted">{description}</p>}
          </div>
        </div>
      </figure>
    </>
  );
}

/** The cover; without one, the content of the generated card. */
function CardPicture({ url, title, siteName, authorName }: { url: string; title: string; siteName: string; authorName: string }) {
  return (
    <RemoteImage
      sources={pictureSources(url)}
      width={480}
      height={252}
      className="aspect-[1.91] w-full object-cover"
      fallback={
        <div className="flex aspect-[1.91] flex-col justify-between bg-background-secondary p-4">
          <p className="text-xs text-muted">{siteName}</p>
          <p className="line-clamp-3 text-title font-semibold wrap-anywhere">{title}</p>
          <p className="text-xs text-muted">{authorName}</p>
        </div>
      }
    />
  );
}
