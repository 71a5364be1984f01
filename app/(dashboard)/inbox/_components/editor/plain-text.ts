import type { JSONContent } from '@tiptap/core';

/** Documents of the editor without their formats, and plain texts as documents. */

export type Marks = NonNullable<JSONContent['marks']>;

/** The paragraphs of a plain text. */
export function documentOfText(text: string): JSONContent {
  const paragraphs = text.trim().split(/(?:\r?\n){2,}/);
  return { type: 'doc', content: paragraphs.map((paragraph) => ({ type: 'paragraph', content: linesOf(paragraph) })) };
}

/** A text; none if it is empty, which documents may not have. */
export function textNode(text: string, marks: Marks = []): JSONContent[] {
  return text === '' ? [] : [{ type: 'text', text, ...(marks.length > 0 && { marks }) }];
}

/** Lines of text, with breaks between them. */
export function linesOf(text: string, marks: Marks = []): JSONContent[] {
  return text
    .split(/\r\n|\r|\n/)
    .flatMap((line, index) => [...(index > 0 ? [{ type: 'hardBreak' }] : []), ...textNode(line, marks)]);
}

/** The text of a document: lists and quotes have their signs, and links their addresses. */
export function plainTextOf(document: JSONContent): string {
  return blocksOf(document.content).trim();
}

const blocksOf = (content: readonly JSONContent[] = [], separator = '\n\n') => content.map(blockOf).join(separator);

function blockOf({ type, attrs, content = [] }: JSONContent): string {
  switch (type) {
    case 'horizontalRule':
      return '---';
    case 'blockquote':
      return blocksOf(content).replace(/^/gm, '> ');
    case 'bulletList':
      return content.map((item) => itemOf('- ', item)).join('\n');
    case 'orderedList':
      return content.map((item, index) => itemOf(`${(attrs?.start ?? 1) + index}. `, item)).join('\n');
    case 'table':
      return content.map((row) => (row.content ?? []).map((cell) => blocksOf(cell.content, ' ')).join(' | ')).join('\n');
    default:
      return content.map((node, index) => inlineOf(node, content[index + 1])).join('');
  }
}

function itemOf(sign: string, { content }: JSONContent): string {
  return sign + blocksOf(content, '\n').replaceAll('\n', `\n${' '.repeat(sign.length)}`);
}

function inlineOf(node: JSONContent, next: JSONContent | undefined): string {
  if (node.type === 'hardBreak') return '\n';
  if (node.type === 'image') return node.attrs?.alt ? `[${node.attrs.alt}]` : '';
  const { text = '', marks } = node;
  const address = addressOf(marks);
  const isShown =
    address === null || address === addressOf(next?.marks) || address.replace(/^(mailto:|https?:\/\/)/, '') === text;
  return isShown || address === text ? text : `${text} (${address})`;
}

function addressOf(marks: Marks | undefined): string | null {
  return marks?.find(({ type }) => type === 'link')?.attrs?.href ?? null;
}
