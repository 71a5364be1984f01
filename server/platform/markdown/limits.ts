import { visit } from 'unist-util-visit';
import type { Root } from './tree';

/** The longest source that is rendered, in UTF-16 units: more than the longest of novels. Longer ones are shown as they are. */
export const maximumSource = 1024 * 1024;

/** The largest result, in UTF-16 units. */
export const maximumOutput = 8 * 1024 * 1024;

/** The post can't be rendered within the limits of size. */
export class MarkdownTooLargeError extends Error {
  override name = 'MarkdownTooLargeError';
}

/** Fails once more than `maximumOutput` was taken. */
function budget(): (size: number) => void {
  let left = maximumOutput;
  return (size) => {
    left -= size;
    if (left < 0) throw new MarkdownTooLargeError('The result would be too large.');
  };
}

interface Definition {
  identifier?: string;
  url?: string;
  title?: string | null;
}

/**
 * A definition is written once and its address repeated at every reference, so a source of a megabyte could become a terabyte. Runs
 * before anything is repeated.
 */
export function remarkExpansionLimit() {
  return (tree: Parameters<typeof visit>[0]) => {
    const take = budget();
    const sizes = new Map<string, number>();
    visit(tree, 'definition', (node) => {
      const { identifier = '', url = '', title } = node as Definition;
      if (!sizes.has(identifier)) sizes.set(identifier, url.length + (title?.length ?? 0));
    });
    visit(tree, ['linkReference', 'imageReference'], (node) => take(sizes.get((node as Definition).identifier ?? '') ?? 0));
  };
}

const markupOf: Record<string, number> = {
  a: 40,
  img: 60,
  pre: 20,
  table: 80,
  h1: 150,
  h2: 150,
  h3: 150,
  h4: 150,
  h5: 150,
  h6: 150,
};

/** Fails where the tree would become more HTML than a page can take; what is added to it later is estimated. */
export function rehypeOutputLimit() {
  return (tree: Root) => {
    const take = budget();
    visit(tree, (node) => {
      if ('value' in node && typeof node.value === 'string') take(node.value.length);
      if (node.type !== 'element') return;
      take(2 * node.tagName.length + 5 + (markupOf[node.tagName] ?? 0));
      for (const [name, value] of Object.entries(node.properties)) take(name.length + 4 + String(value ?? '').length);
    });
  };
}
