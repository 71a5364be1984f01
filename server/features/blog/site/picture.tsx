import { initials } from '@/server/platform/http/static-page';
import { safeSrcset, safeUrl } from './addresses';
import type { Picture } from './site';

interface CoverProps {
  picture: Picture | null;
  /** Its displayed width, as in the `sizes` attribute. */
  sizes: string;
  /** Loads the picture with high priority; the others load lazily. */
  first?: boolean;
}

/**
 * A cover in a box that has its height before the picture loads; decorative, because the title is next to it. Nothing for a
 * picture with an unsafe URL.
 */
export function Cover({ picture, sizes, first = false }: CoverProps) {
  const url = picture && safeUrl(picture.url);
  if (!picture || !url) return null;
  const sized = picture.width !== null && picture.height !== null && picture.width > 0 && picture.height > 0;
  const srcSet = safeSrcset(picture);
  return (
    // biome-ignore lint/performance/noImgElement: these pages are not rendered by Next.js.
    <img
      className={sized ? 'cover' : 'cover boxed'}
      src={url}
      srcSet={srcSet}
      sizes={srcSet && sizes}
      width={sized ? (picture.width ?? undefined) : undefined}
      height={sized ? (picture.height ?? undefined) : undefined}
      alt=""
      decoding="async"
      {...(first ? { fetchPriority: 'high' as const } : { loading: 'lazy' as const })}
    />
  );
}

/** The author's picture, else initials; decorative, because the name is next to it. */
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
