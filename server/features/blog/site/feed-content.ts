import { toString as textOf } from 'hast-util-to-string';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { SKIP, visit } from 'unist-util-visit';
import { parseHtml } from '@/server/platform/html/html-tree';

const addresses = ['href', 'src', 'poster', 'cite'];

const writer = unified().use(rehypeStringify).freeze();

function absolute(address: string, base: string): string {
  return URL.canParse(address, base) ? new URL(address, base).href : address;
}

/** The candidates of a `srcset` with absolute URLs. */
function absoluteSet(srcset: string, base: string): string {
  return srcset
    .split(/,\s+/)
    .map((candidate) => candidate.trim().replace(/^\S+/, (address) => absolute(address, base)))
    .join(', ');
}

/**
 * The HTML of an article for a feed: URLs are absolute, and those within the article lead to its page; heading anchors are
 * removed, code is plain text, and so is everything else that requires a stylesheet.
 *
 * @param base absolute URL of the post
 */
export function feedContent(article: string, base: string): string {
  const tree = parseHtml(article);
  visit(tree, 'element', (node, index, parent) => {
    const { properties } = node;
    const classes = Array.isArray(properties.className) ? properties.className : [];
    if (parent && index !== undefined && node.tagName === 'a' && classes.includes('anchor')) {
      parent.children.splice(index, 1);
      return [SKIP, index];
    }
    if (parent && index !== undefined && classes.includes('heading')) {
      parent.children.splice(index, 1, ...node.children);
      return [SKIP, index];
    }
    if (node.tagName === 'code') node.children = [{ type: 'text', value: textOf(node) }];
    for (const name of ['className', 'style', 'tabIndex']) delete properties[name];
    for (const name of addresses) {
      const value = properties[name];
      if (typeof value === 'string') properties[name] = absolute(value, base);
    }
    const { srcSet } = properties;
    if (srcSet) properties.srcSet = absoluteSet(String(srcSet), base);
    return undefined;
  });
  return writer.stringify(tree);
}
