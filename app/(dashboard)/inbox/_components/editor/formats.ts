import { documentOfText, plainTextOf } from './plain-text';
import { documentOf } from './read-markdown';
import { markdownOf } from './write-markdown';

/** The Markdown of a plain text, which says the same: its characters are no formats. */
export function toFormatted(text: string): string {
  return markdownOf(documentOfText(text));
}

/** The plain text of Markdown. Markdown that is too large to edit stays as it is. */
export function toPlain(markdown: string): string {
  try {
    return plainTextOf(documentOf(markdown));
  } catch {
    return markdown;
  }
}
