import { visit } from 'unist-util-visit';
import { removedWithContent } from './sanitize-schema';
import type { Root } from './tree';

const names = removedWithContent.join('|');
const startTag = new RegExp(`<(${names})(?=[\\s/>])[^<>]*>`, 'gi');
const endTag = new RegExp(`</(${names})(?=[\\s/>])`, 'gi');

/** HTML as an author wrote it; rehype-raw parses it afterwards. */
interface Raw {
  type: 'raw';
  value: string;
}

/** The pieces of HTML in a tree, with the number of HTML characters before each. */
function rawsOf(tree: Root): { raw: Raw; before: number }[] {
  const found: { raw: Raw; before: number }[] = [];
  let before = 0;
  visit(tree, (node: { type: string }) => {
    if (node.type !== 'raw') return;
    const raw = node as Raw;
    found.push({ raw, before });
    before += raw.value.length;
  });
  return found;
}

/**
 * Prevents an unclosed start tag of a dropped element from removing the rest of the post: in "the `<title>` of each page" it is
 * shown literally. A self-closed one (`<video … />`), which HTML treats as a start tag, is removed alone. Closed elements are
 * left to the sanitiser; safety does not depend on this plugin.
 */
export function rehypeUnclosed() {
  return (tree: Root): void => {
    const raws = rawsOf(tree);
    const lastEnd = new Map<string, number>();
    for (const { raw, before } of raws) {
      for (const { 1: name = '', index } of raw.value.matchAll(endTag)) lastEnd.set(name.toLowerCase(), before + index);
    }
    for (const { raw, before } of raws) {
      raw.value = raw.value.replace(startTag, (tag: string, name: string, index: number) => {
        const isClosed = (lastEnd.get(name.toLowerCase()) ?? -1) > before + index;
        if (isClosed) return tag;
        return tag.endsWith('/>') ? '' : `&lt;${tag.slice(1)}`;
      });
    }
  };
}
