import type { JSONContent } from '@tiptap/core';
import type { Nodes, Parents, Root, RootContent, Table } from 'mdast';
import remarkBreaks from 'remark-breaks';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { linesOf, type Marks, textNode } from './plain-text';

/** Markdown as documents of the editor. The parser is that of the server (`renderMailMarkdown`): recipients will see the same. */

const parser = unified().use(remarkParse).use(remarkGfm).use(remarkBreaks).freeze();

/** The editor’s marks for those of Markdown. */
export const markNames = { strong: 'bold', emphasis: 'italic', delete: 'strike' } as const;

/** What a paragraph without text has in Markdown. */
export const emptyLine = '\u00a0';

/** In UTF-16 units: an editor with more would be slow. */
const maximumLength = 100_000;

/** A line in more lists and quotes than people write. */
const deepLine = /^(?:[ \t]*(?:>|(?:[*+-]|\d+[.)])[ \t]+)){50}/m;

/**
 * Reads Markdown. Checkboxes and footnotes, which emails do not have, become text, and so do tags.
 *
 * @throws RangeError for Markdown that is too long, or nested too deeply
 */
export function documentOf(markdown: string): JSONContent {
  if (markdown.length > maximumLength || deepLine.test(markdown)) throw new RangeError('This Markdown is too large to edit.');
  const tree = parser.runSync(parser.parse(markdown)) as Root;
  const definitions = new Map(
    tree.children.flatMap((node) => (node.type === 'definition' ? [[node.identifier, node] as const] : [])),
  );

  const inline = (node: Nodes, marks: Marks): JSONContent[] => {
    switch (node.type) {
      case 'text':
      case 'html':
        return linesOf(node.value, marks);
      case 'inlineCode':
        return textNode(node.value, [...marks, { type: 'code' }]);
      case 'break':
        return [{ type: 'hardBreak' }];
      case 'image':
        return [{ type: 'image', attrs: { src: node.url, alt: node.alt ?? null, title: node.title ?? null } }];
      case 'imageReference': {
        const definition = definitions.get(node.identifier);
        return [{ type: 'image', attrs: { src: definition?.url, alt: node.alt ?? null, title: definition?.title ?? null } }];
      }
      case 'link':
        return inlines(node, withLink(marks, node.url, node.title));
      case 'linkReference': {
        const definition = definitions.get(node.identifier);
        return inlines(node, definition ? withLink(marks, definition.url, definition.title) : marks);
      }
      case 'footnoteReference':
        return textNode(`[^${node.label ?? node.identifier}]`, marks);
      default: {
        if (!('children' in node)) return [];
        return inlines(node, isMark(node.type) ? withMark(marks, { type: markNames[node.type] }) : marks);
      }
    }
  };
  const inlines = (parent: Parents, marks: Marks = []) => parent.children.flatMap((child) => inline(child, marks));
  const blocks = (nodes: readonly RootContent[]): JSONContent[] => nodes.flatMap(block);

  const block = (node: RootContent): JSONContent[] => {
    switch (node.type) {
      case 'paragraph': {
        const content = inlines(node);
        return [paragraph(content.length === 1 && content[0]?.text === emptyLine ? [] : content)];
      }
      case 'heading':
        return [{ type: 'heading', attrs: { level: node.depth }, content: inlines(node) }];
      case 'blockquote':
        return [{ type: 'blockquote', content: orParagraph(blocks(node.children)) }];
      case 'code':
        return [{ type: 'codeBlock', attrs: { language: node.lang ?? null }, content: textNode(node.value) }];
      case 'thematicBreak':
        return [{ type: 'horizontalRule' }];
      case 'html':
        return [paragraph(linesOf(node.value, []))];
      case 'list':
        return [
          {
            ...(node.ordered ? { type: 'orderedList', attrs: { start: node.start ?? 1 } } : { type: 'bulletList' }),
            content: node.children.map(({ children, checked }) => ({
              type: 'listItem',
              content: checkbox(checked, orParagraph(blocks(children))),
            })),
          },
        ];
      case 'table':
        return [tableNode(node, inlines)];
      case 'footnoteDefinition':
        return prefixed(`[^${node.label ?? node.identifier}]: `, orParagraph(blocks(node.children)));
      default:
        return [];
    }
  };
  return { type: 'doc', content: orParagraph(blocks(tree.children)) };
}

const isMark = (type: string): type is keyof typeof markNames => Object.hasOwn(markNames, type);

const paragraph = (content: JSONContent[] = []): JSONContent => ({ type: 'paragraph', content });

const orParagraph = (content: JSONContent[]) => (content.length === 0 ? [paragraph()] : content);

/** The marks of a text, each kind once. */
function withMark(marks: Marks, mark: Marks[number]): Marks {
  return [...marks.filter(({ type }) => type !== mark.type), mark];
}

function withLink(marks: Marks, href: string, title: string | null | undefined): Marks {
  return withMark(marks, { type: 'link', attrs: { href, title: title ?? null } });
}

function prefixed(text: string, content: JSONContent[]): JSONContent[] {
  const [first, ...rest] = content;
  if (first?.type !== 'paragraph') return [paragraph(textNode(text.trimEnd())), ...content];
  return [{ ...first, content: [...textNode(text), ...(first.content ?? [])] }, ...rest];
}

function checkbox(checked: boolean | null | undefined, content: JSONContent[]): JSONContent[] {
  return typeof checked === 'boolean' ? prefixed(checked ? '☑ ' : '☐ ', content) : content;
}

function tableNode({ children }: Table, inlines: (parent: Parents) => JSONContent[]): JSONContent {
  const columns = children[0]?.children.length ?? 0;
  return {
    type: 'table',
    content: children.map((row, index) => ({
      type: 'tableRow',
      content: Array.from({ length: columns }, (_, column) => {
        const cell = row.children[column];
        return { type: index === 0 ? 'tableHeader' : 'tableCell', content: [paragraph(cell ? inlines(cell) : [])] };
      }),
    })),
  };
}
