import { maximumSource } from './limits';
import { plainRendering } from './plain-rendering';
import { renderMarkdown } from './render-markdown';
import type { RenderedMarkdown } from './rendered-markdown';

/** What a thread of the pool runs. It loads nothing else of the server: it needs no settings and shall have no secrets. */
export default async function work({ markdown, language }: { markdown: string; language: string }): Promise<RenderedMarkdown> {
  return markdown.length > maximumSource ? plainRendering(markdown) : renderMarkdown(markdown, language);
}
