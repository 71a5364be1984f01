/** The public page inside the editor's frame: loaded once, then patched in place, so that it neither flickers nor scrolls. */

/** Parses a page and removes what a preview does not need: its scripts never run here, and links lead out of the frame. */
function parsePage(page: string): Document {
  const parsed = new DOMParser().parseFromString(page, 'text/html');
  for (const element of parsed.querySelectorAll('script, link')) element.remove();
  // Links are followed by `followLinks`. In browsers that keep its listeners out of a sandbox, the sandbox blocks them.
  const base = parsed.createElement('base');
  base.target = '_blank';
  parsed.head.prepend(base);
  return parsed;
}

export function writtenPage(page: string): string {
  return `<!doctype html>${parsePage(page).documentElement.outerHTML}`;
}

function copyAttributes(target: Element, source: Element): void {
  for (const { name } of [...target.attributes]) {
    // The user may have opened something in the preview.
    if (name !== 'open' && name !== 'style' && !source.hasAttribute(name)) target.removeAttribute(name);
  }
  for (const { name, value } of [...source.attributes]) {
    if (target.getAttribute(name) !== value) target.setAttribute(name, value);
  }
}

/** Makes the children of one element equal to another's; equal nodes stay the very same. */
function patchChildren(target: Element, source: Element): void {
  const before = [...target.childNodes];
  const after = [...source.childNodes];
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start]?.isEqualNode(after[start] ?? null)) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end)?.isEqualNode(after.at(-1 - end) ?? null)) end++;
  const old = before.slice(start, before.length - end);
  const fresh = after.slice(start, after.length - end);
  for (const [index, node] of fresh.entries()) {
    const present = old[index];
    if (!present) target.insertBefore(target.ownerDocument.importNode(node, true), before[before.length - end] ?? null);
    else patchNode(present, node);
  }
  for (const node of old.slice(fresh.length)) node.remove();
}

function replace(present: ChildNode, node: Node): void {
  present.replaceWith((present.ownerDocument as Document).importNode(node, true));
}

function patchNode(present: ChildNode, node: Node): void {
  if (present.isEqualNode(node)) return;
  if (present.nodeName !== node.nodeName) replace(present, node);
  else if (node.nodeType === 1) {
    copyAttributes(present as unknown as Element, node as Element);
    patchChildren(present as unknown as Element, node as Element);
  } else present.nodeValue = node.nodeValue;
}

/** Replaces the page in a document, keeping equal nodes. */
export function applyPage(target: Document, page: string): void {
  const source = parsePage(page);
  copyAttributes(target.documentElement, source.documentElement);
  patchChildren(target.body, source.body);
}

/** The original scheme of each rule. */
const schemes = new WeakMap<CSSRule, 'light' | 'dark'>();

function schemeOf(rule: CSSRule): 'light' | 'dark' | undefined {
  const known = schemes.get(rule);
  if (known || !('media' in rule)) return known;
  const [, written] = /prefers-color-scheme:\s*(light|dark)/.exec((rule as CSSMediaRule).media.mediaText) ?? [];
  if (written) schemes.set(rule, written as 'light' | 'dark');
  return schemes.get(rule);
}

/** Applies the dashboard's colour scheme instead of the system's: rules for either scheme apply always, or never. */
export function setScheme(target: Document, scheme: 'light' | 'dark'): void {
  target.documentElement.style.colorScheme = scheme;
  for (const sheet of target.styleSheets) {
    for (const rule of sheet.cssRules) {
      const written = schemeOf(rule);
      if (written) (rule as CSSMediaRule).media.mediaText = written === scheme ? 'all' : 'not all';
    }
  }
}

/** Follows links within the page; opens others in a new tab. Returns a function that stops it. */
export function followLinks(target: Document): () => void {
  const onClick = (event: MouseEvent) => {
    const link = (event.target as Element | null)?.closest?.('a');
    if (!link) return;
    event.preventDefault();
    const href = link.getAttribute('href') ?? '';
    if (href.startsWith('#')) {
      target.getElementById(decodeURIComponent(href.slice(1)))?.scrollIntoView();
      return;
    }
    const url = URL.canParse(href, window.location.href) ? new URL(href, window.location.href) : null;
    if (url && /^https?:$/.test(url.protocol)) window.open(url, '_blank', 'noopener');
  };
  target.addEventListener('click', onClick);
  target.addEventListener('auxclick', onClick);
  return () => {
    target.removeEventListener('click', onClick);
    target.removeEventListener('auxclick', onClick);
  };
}

/** Scrolls a page to the same relative position as its source. @param part from 0 at the top to 1 at the end */
export function scrollToPart(target: Document, part: number): void {
  const element = target.scrollingElement;
  if (element) element.scrollTo({ top: part * (element.scrollHeight - element.clientHeight), behavior: 'instant' });
}
