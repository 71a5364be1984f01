import { visit } from 'unist-util-visit';
import type { Root } from './tree';

/** Maximum source to render, in UTF-16 units: longer than the longest novels. Longer ones are shown unrendered. */
export const maximumSource = 1024 * 1024;

/** Maximum result, in UTF-16 units. */
export const maximumOutput = 8 * 1024 * 1024;

/** The post exceeds the size limits. */
export class MarkdownTooLargeError extends Error {
  override name = 'MarkdownTooLargeError';
}

/** Throws once more than `maximumOutput` was used. */
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
 * A definition's address is repeated at every reference, so a megabyte of source could become a terabyte. Runs before the
 * expansion.
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

/** Throws if the tree would become too much HTML; later additions are estimated. */
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
