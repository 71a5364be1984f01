import { LRUCache } from 'lru-cache';
import { renderInWorker } from '@/server/markdown/markdown-pool';
import type { RenderedMarkdown } from '@/server/markdown/rendered-markdown';
import { oncePerProcess } from '@/server/process-registry';

/** A state of a post, which never changes: another text is another revision. */
export interface PostState {
  id: string;
  revision: number;
}

/** Characters of HTML and text that are kept. */
const cacheSize = 32 * 1024 * 1024;

type Loader = (state: PostState) => Promise<string>;

function cache() {
  return oncePerProcess(
    'rendered-posts',
    () =>
      new LRUCache<string, RenderedMarkdown, { state: PostState; load: Loader }>({
        maxSize: cacheSize,
        sizeCalculation: ({ html, text }) => html.length + text.length + 1,
        // Whoever asks for what is being rendered already waits for that.
        fetchMethod: async (_key, _stale, { context, options }) => {
          const rendered = await renderInWorker(await context.load(context.state));
          // What was too much at a busy moment may be none in a quiet one.
          if (rendered.fallback) options.ttl = 60_000;
          return rendered;
        },
      }),
  );
}

/** The text of a post as HTML. @param load reads the Markdown; called only where it has not been rendered yet */
export async function renderedPost(state: PostState, load: Loader): Promise<RenderedMarkdown> {
  const rendered = await cache().fetch(`${state.id}:${state.revision}`, { context: { state, load } });
  if (!rendered) throw new Error('rendering gave nothing');
  return rendered;
}
