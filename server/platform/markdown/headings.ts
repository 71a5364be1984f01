import rehypeSlug from 'rehype-slug';
import { SKIP, visit } from 'unist-util-visit';
import { visibleText } from './post-text';
import type { PostHeading } from './rendered-markdown';
import { idPrefix } from './sanitize-schema';
import { type Element, hasClass, type Root, stringProperty } from './tree';

const isHeading = (element: Element) => /^h[1-6]$/.test(element.tagName);

/** The visually hidden heading that remark puts above footnotes; not part of the author's outline. */
const isFootnoteLabel = (element: Element) => hasClass(element, 'sr-only');

/** The text of a heading, or of its picture. Empty headings are invisible, yet screen readers announce them. */
function headingText(heading: Element): string {
  let text = visibleText(heading);
  if (!text) {
    visit(heading, 'element', (element) => {
      if (element.tagName === 'img') text ||= stringProperty(element, 'alt').trim();
    });
  }
  return text;
}

/**
 * Sets heading levels by the outline, ignoring the author's numbers: the page's title is h1, so a post's outermost headings are
 * h2, nested ones one deeper, without skipped levels.
 */
function relevel(headings: Element[]): void {
  const open: number[] = [];
  for (const heading of headings) {
    const rank = Number(heading.tagName[1]);
    while (open.length > 0 && (open.at(-1) ?? 0) >= rank) open.pop();
    open.push(rank);
    heading.tagName = `h${Math.min(6, open.length + 1)}`;
  }
}

/** Makes ids unique: the first element wins, headings get a numbered suffix. Returns all ids. */
function uniqueIds(tree: Root, headings: Set<Element>): Set<string> {
  const ids = new Set<string>();
  visit(tree, 'element', (element) => {
    const { id } = element.properties;
    if (id === undefined || headings.has(element)) return;
    if (typeof id === 'string' && id.length > idPrefix.length && !ids.has(id)) ids.add(id);
    else delete element.properties.id;
  });
  const numbers = new Map<string, number>();
  for (const heading of headings) {
    const own = stringProperty(heading, 'id');
    const base = own.length > idPrefix.length ? own : `${idPrefix}section`;
    let id = base;
    while (ids.has(id)) {
      const number = (numbers.get(base) ?? 0) + 1;
      numbers.set(base, number);
      id = `${base}-${number}`;
    }
    ids.add(id);
    heading.properties.id = id;
  }
  return ids;
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

/** Adds the id prefix to links inside the post. */
function retarget(tree: Root, ids: Set<string>): void {
  visit(tree, 'element', (element) => {
    const href = element.tagName === 'a' ? stringProperty(element, 'href') : '';
    if (!href.startsWith('#')) return;
    const target = `${idPrefix}${href.slice(1)}`;
    if (ids.has(target) || ids.has(decoded(target))) element.properties.href = `#${target}`;
  });
}

/** Adds a heading's anchor link. Its sign is in the stylesheet (`.anchor::before`), so feeds and reader modes omit it. */
function withAnchor(heading: Element, label: string): Element {
  const anchor: Element = {
    type: 'element',
    tagName: 'a',
    properties: { className: ['anchor'], href: `#${stringProperty(heading, 'id')}`, ariaLabel: label },
    children: [],
  };
  return { type: 'element', tagName: 'div', properties: { className: ['heading'] }, children: [heading, anchor] };
}

/** Headings inside a link or a summary can't contain a link. */
function headingsInsideControls(tree: Root): Set<Element> {
  const inside = new Set<Element>();
  visit(tree, 'element', (control) => {
    if (control.tagName !== 'a' && control.tagName !== 'summary') return;
    visit(control, 'element', (element) => {
      if (isHeading(element)) inside.add(element);
    });
    return SKIP;
  });
  return inside;
}

/**
 * Sets levels, unique ids and anchor links of headings, and resolves links inside the post. Runs on a sanitised tree; empty
 * headings are removed.
 * @param linkLabel the links' label, with `{text}` for the heading's text
 * @returns headings of the second and third level, for a table of contents
 */
export function finishHeadings(tree: Root, linkLabel: string): PostHeading[] {
  const texts = new Map<Element, string>();
  visit(tree, 'element', (element, index, parent) => {
    if (!isHeading(element) || isFootnoteLabel(element) || index === undefined || !parent) return;
    const text = headingText(element);
    if (text) texts.set(element, text);
    else parent.children[index] = { type: 'text', value: '' };
  });
  relevel([...texts.keys()]);
  rehypeSlug({ prefix: idPrefix })(tree);
  retarget(tree, uniqueIds(tree, new Set(texts.keys())));
  const inside = headingsInsideControls(tree);
  visit(tree, 'element', (element, index, parent) => {
    const text = texts.get(element);
    if (text === undefined || inside.has(element) || index === undefined || !parent) return;
    parent.children[index] = withAnchor(
      element,
      linkLabel.replace('{text}', () => text),
    );
  });
  return [...texts].flatMap(([{ tagName, properties }, text]) => {
    if (tagName !== 'h2' && tagName !== 'h3') return [];
    return [{ id: String(properties.id), text, level: tagName === 'h2' ? 2 : 3 } satisfies PostHeading];
  });
}
