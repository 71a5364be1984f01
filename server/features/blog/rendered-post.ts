import { ConcurrentChange } from '@/server/platform/db/transaction';
import { LoadingCache } from '@/server/platform/loading-cache';
import { labelLanguage } from '@/server/platform/markdown/labels';
import type { RenderedMarkdown } from '@/server/platform/markdown/rendered-markdown';
import { oncePerProcess } from '@/server/platform/process-globals';
import { renderPool } from '@/server/platform/rendering/render-pool';

/** A text to be rendered. */
export interface TextSource {
  /** Of the text, so that one that has not changed is not rendered again: its hash, and which part of it is meant. */
  key: string;
  /** Whose it is and in which language; see `RenderOptions`. */
  identityId: string;
  language: string;
  /** Reads it; called only where it has not been rendered yet. Null where it is another one by now. */
  load: () => Promise<string | null>;
}

/** Characters of HTML and text that are kept. */
const cacheSize = 32 * 1024 * 1024;
/** How long a text that was too heavy is left alone, in milliseconds: what takes too long on a busy machine may not on a quiet one. */
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
 * A text as HTML.
 *
 * @throws ConcurrentChange where the text has changed since its key was read: whoever asks again finds the new one
 * @throws QueueFull where it has to be rendered and there is no turn for it in time
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
