import type { Element, Node, Root } from './tree';
import { hasClass } from './tree';

const blocks = new Set(
  `blockquote caption dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre section summary table tbody tfoot thead
  tr ul br`.split(/\s+/),
);
const cells = new Set(['td', 'th']);

/** True for content outside the prose: code blocks, numbers and arrows of footnotes, the footnotes' hidden heading. */
function isOutsideProse({ tagName, properties, ...element }: Element): boolean {
  if (tagName === 'pre') return true;
  if (tagName === 'a') return 'dataFootnoteRef' in properties || 'dataFootnoteBackref' in properties;
  return hasClass({ tagName, properties, ...element }, 'sr-only');
}

function collect(nodes: Node[], pieces: string[]): void {
  for (const node of nodes) {
    if (node.type === 'text') pieces.push(node.value.replace(/\s+/g, ' '));
    if (node.type !== 'element') continue;
    const edge = blocks.has(node.tagName) ? '\n' : cells.has(node.tagName) ? ' ' : '';
    pieces.push(edge);
    if (!isOutsideProse(node)) collect(node.children, pieces);
    pieces.push(edge);
  }
}

/** The prose of a sanitised tree, one line per block. Needs remark's marks on footnote links. */
export function postText(tree: Root): string {
  const pieces: string[] = [];
  collect(tree.children, pieces);
  return pieces
    .join('')
    .replace(/ *\n[ \n]*/g, '\n')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** The prose of one element, on one line. */
export function visibleText(element: Element): string {
  const pieces: string[] = [];
  collect(element.children, pieces);
  return pieces.join('').replace(/\s+/g, ' ').trim();
}
