import type { JSONContent } from '@tiptap/core';
import type { PhrasingContent, Root, RootContent } from 'mdast';
import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal';
import remarkGfm from 'remark-gfm';
import remarkStringify from 'remark-stringify';
import { unified } from 'unified';
import type { Marks } from './plain-text';
import { emptyLine, markNames } from './read-markdown';

/** Documents of the editor as Markdown. */

const oneLine = ['tableCell', 'headingAtx'] as const;

const serializer = unified()
  .use(remarkGfm)
  .use(remarkStringify, {
    bullet: '-',
    rule: '-',
    // `<ann@my_shop.example>` would be no link.
    resourceLink: true,
    // A line break is one, also without a backslash.
    handlers: { break: (_, __, state) => (oneLine.some((construct) => state.stack.includes(construct)) ? ' ' : '\n') },
  })
  .freeze();

const markTypes = Object.fromEntries(Object.entries(markNames).map(([type, name]) => [name, type]));

/** Writes Markdown. URLs and addresses become links; empty paragraphs around the text are left out. */
export function markdownOf(document: JSONContent): string {
  const children = blocksOf(document.content);
  const isFilled = (node: RootContent) =>
    node.type !== 'paragraph' ||
    node.children.length !== 1 ||
    node.children[0]?.type !== 'text' ||
    node.children[0].value !== emptyLine;
  const last = children.findLastIndex(isFilled);
  const tree: Root = { type: 'root', children: last < 0 ? [] : children.slice(children.findIndex(isFilled), last + 1) };
  for (const transform of gfmAutolinkLiteralFromMarkdown().transforms ?? []) transform(tree);
  return serializer.stringify(tree).replace(/\n+$/, '');
}

function blocksOf(content: readonly JSONContent[] = []): RootContent[] {
  return content.flatMap(blockOf);
}

function blockOf({ type, attrs, content }: JSONContent): RootContent[] {
  switch (type) {
    case 'paragraph':
      return paragraphsOf(content).map((each) => {
        const children = linesOf(each);
        return { type, children: children.length === 0 ? [{ type: 'text', value: emptyLine }] : children };
      });
    case 'heading':
      return [{ type, depth: attrs?.level, children: phrasing(content) }];
    case 'blockquote':
      return [{ type, children: blocksOf(content) as [] }];
    case 'codeBlock':
      return [{ type: 'code', lang: attrs?.language, value: (content ?? []).map(({ text }) => text).join('') }];
    case 'horizontalRule':
      return [{ type: 'thematicBreak' }];
    case 'bulletList':
    case 'orderedList': {
      const items = (content ?? []).map((item) => ({
        type: 'listItem' as const,
        spread: false,
        children: blocksOf(item.content) as [],
      }));
      return [{ type: 'list', ordered: type === 'orderedList', start: attrs?.start ?? null, spread: false, children: items }];
    }
    case 'table':
      return [
        {
          type,
          children: (content ?? []).map((row) => ({
            type: 'tableRow',
            children: (row.content ?? []).map((cell) => ({ type: 'tableCell', children: cellText(cell) })),
          })),
        },
      ];
    default:
      return [];
  }
}

/** A cell has one line. */
function cellText({ content = [] }: JSONContent): PhrasingContent[] {
  return content.flatMap((each, index) => [...(index > 0 ? [{ type: 'break' as const }] : []), ...phrasing(each.content)]);
}

const isCode = ({ type }: Marks[number]) => type === 'code';

/** The lines between the breaks of a paragraph. */
function linesIn(content: readonly JSONContent[] = []): JSONContent[][] {
  const lines: JSONContent[][] = [[]];
  for (const node of content) {
    if (node.type === 'hardBreak') lines.push([]);
    else lines.at(-1)?.push(node);
  }
  return lines.map((line) => trimmed(trimmed(line, /^[ \t]+/, 0), /[ \t]+$/, -1));
}

/** Without the spaces at an end of a line: no reader sees them, and in Markdown they mean something. */
function trimmed(line: JSONContent[], spaces: RegExp, end: 0 | -1): JSONContent[] {
  const node = line.at(end);
  if (node?.type !== 'text' || node.marks?.some(isCode)) return line;
  const text = (node.text ?? '').replace(spaces, '');
  if (text === '') return trimmed(line.toSpliced(end, 1), spaces, end);
  return line.with(end, { ...node, text });
}

/** The paragraphs of one in the editor: an empty line is between two. */
function paragraphsOf(content: readonly JSONContent[] | undefined): JSONContent[][][] {
  const paragraphs: JSONContent[][][] = [[]];
  for (const line of linesIn(content)) {
    if (line.length > 0) paragraphs.at(-1)?.push(line);
    else if (paragraphs.at(-1)?.length !== 0) paragraphs.push([]);
  }
  return paragraphs.length > 1 && paragraphs.at(-1)?.length === 0 ? paragraphs.slice(0, -1) : paragraphs;
}

interface MarkedNode {
  node: JSONContent;
  marks: Marks;
}

/** Texts and pictures of lines, with breaks between them. */
function linesOf(lines: readonly JSONContent[][]): PhrasingContent[] {
  const nodes = lines.flatMap((line, index) => (index > 0 ? [{ type: 'hardBreak' }, ...line] : line));
  return grouped(nodes.map((node) => ({ node, marks: (node.marks ?? []).filter((mark) => !isCode(mark)) })));
}

const phrasing = (content: readonly JSONContent[] | undefined) => linesOf(linesIn(content).filter((line) => line.length > 0));

/** Neighbours that have the same first mark are in one element, and so on. */
function grouped(nodes: readonly MarkedNode[]): PhrasingContent[] {
  const result: PhrasingContent[] = [];
  for (let index = 0; index < nodes.length; ) {
    const rest = nodes.slice(index);
    const [mark] = rest[0]?.marks ?? [];
    const length = mark ? rest.findIndex((other) => !isSameMark(other.marks[0], mark)) : 1;
    const inside = rest.slice(0, length < 0 ? undefined : length);
    if (mark) result.push(markedAs(mark, grouped(inside.map((each) => ({ ...each, marks: each.marks.slice(1) })))));
    else result.push(...inside.map(({ node }) => leafOf(node)));
    index += inside.length;
  }
  return result;
}

function isSameMark(one: Marks[number] | undefined, other: Marks[number]): boolean {
  return one?.type === other.type && one.attrs?.href === other.attrs?.href && one.attrs?.title === other.attrs?.title;
}

function markedAs({ type, attrs }: Marks[number], children: PhrasingContent[]): PhrasingContent {
  if (type === 'link') return { type, url: attrs?.href ?? '', title: attrs?.title, children: children as [] };
  return { type: (markTypes[type] ?? 'emphasis') as 'emphasis', children };
}

function leafOf({ type, text = '', attrs, marks = [] }: JSONContent): PhrasingContent {
  if (type === 'hardBreak') return { type: 'break' };
  if (type === 'image') return { type, url: attrs?.src ?? '', alt: attrs?.alt, title: attrs?.title };
  return marks.some(isCode) ? { type: 'inlineCode', value: text } : { type: 'text', value: text };
}
