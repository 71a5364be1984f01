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

/** The pieces of HTML in a tree, each with how many characters of HTML stand before it. */
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
 * Keeps a lone start tag of an element that goes with its content from taking the rest of the post: "the `<title>` of each page" is
 * somebody's sentence, and shown as it is written. One that is closed as in XML (`<video … />`), which HTML takes for a start, goes alone.
 * Those that have an end are left for the sanitiser, and nothing here is what makes a post safe.
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
