import { ConcurrentChange } from '@/server/platform/db/transaction';
import { LoadingCache } from '@/server/platform/loading-cache';
import { labelLanguage } from '@/server/platform/markdown/labels';
import type { RenderedMarkdown } from '@/server/platform/markdown/rendered-markdown';
import { oncePerProcess } from '@/server/platform/process-globals';
import { renderPool } from '@/server/platform/rendering/render-pool';

/** A text to be rendered. */
export interface TextSource {
  /** Cache key: the content's hash, and which part of it is meant. */
  key: string;
  /** Owner and language of the text; see `RenderOptions`. */
  identityId: string;
  language: string;
  /** Reads the text; called only on a cache miss. Null if it has changed meanwhile. */
  load: () => Promise<string | null>;
}

/** Characters of HTML and text in the cache. */
const cacheSize = 32 * 1024 * 1024;
/** Milliseconds before a text that was too expensive is rendered again: a busy machine may have been the reason. */
const plainFor = 10 * 60 * 1000;

function cache(): LoadingCache<RenderedMarkdown> {
  return oncePerProcess('rendered-posts', () => {
    return new LoadingCache<RenderedMarkdown>({
      maximumSize: cacheSize,
      sizeOf: ({ html, text }) => html.length + text.length + 1,
    });
  });
}

/**
 * Renders a text to HTML.
 *
 * @throws ConcurrentChange if the text has changed since its key was read: a repeated request finds the new one
 * @throws QueueFull if it has to be rendered and gets no slot in time
 */
export function renderedText({ key, identityId, language, load }: TextSource): Promise<RenderedMarkdown> {
  const make = async () => {
    const text = await load();
    if (text === null) throw new ConcurrentChange('the text has changed');
    return renderPool().markdown(text, { owner: identityId, language });
  };
  return cache().get(`${key} ${labelLanguage(language)}`, make, ({ fallback }) =>
    fallback ? plainFor : Number.POSITIVE_INFINITY,
  );
}
