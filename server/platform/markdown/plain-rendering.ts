import type { RenderedMarkdown } from './rendered-markdown';
import { countWords } from './word-count';

/** Limits for a usable page: text in UTF-16 units, and number of paragraphs. */
const maximumText = 20_000;
const maximumParagraphs = 20_000;

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/**
 * A post's source as paragraphs, used if rendering is impossible. Cheap enough for the main thread: some tens of milliseconds
 * for 5 MiB. `text` is only the beginning, and `wordCount` is estimated from it.
 */
export function plainRendering(markdown: string): RenderedMarkdown {
  const all = markdown.split(/\r?\n[ \t]*\r?\n/).filter((paragraph) => paragraph.trim());
  const paragraphs = all.slice(0, maximumParagraphs);
  if (all.length > maximumParagraphs) paragraphs.push(all.slice(maximumParagraphs).join('\n'));
  const text = markdown.slice(0, maximumText);
  return {
    html: paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`).join('\n'),
    headings: [],
    images: [],
    text: text.replace(/\s+/g, ' ').trim(),
    wordCount: Math.round((countWords(text) * markdown.length) / (text.length || 1)),
    fallback: true,
  };
}
