import { toString as textOf } from 'hast-util-to-string';
import rehypeParse from 'rehype-parse';
import rehypeStringify from 'rehype-stringify';
import { unified } from 'unified';
import { SKIP, visit } from 'unist-util-visit';

const addresses = ['href', 'src', 'poster', 'cite'];

const html = unified().use(rehypeParse, { fragment: true }).use(rehypeStringify);

function absolute(address: string, base: string): string {
  return URL.canParse(address, base) ? new URL(address, base).href : address;
}

/** Candidates of a `srcset`, each made absolute. */
function absoluteSet(srcset: string, base: string): string {
  return srcset
    .split(/,\s+/)
    .map((candidate) => candidate.trim().replace(/^\S+/, (address) => absolute(address, base)))
    .join(', ');
}

/**
 * The HTML of an article as a feed carries it: addresses are absolute, those within the article lead to it on its page; anchors
 * beside headings are gone, code is plain text, and nothing is left that only a stylesheet could make sense of.
 *
 * @param base absolute URL of the post
 */
export function feedContent(article: string, base: string): string {
  const tree = html.parse(article);
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
  return html.stringify(tree);
}
