import { SKIP, visit } from 'unist-util-visit';
import type { Element, Root } from './tree';
import { stringProperty } from './tree';

const linkSchemes = new Set(['http', 'https', 'mailto', 'tel']);
const imageSchemes = new Set(['http', 'https']);

/**
 * An address as a browser parses it (WHATWG URL, "basic URL parser", steps 1 to 3); null if it contains other control
 * characters.
 */
function cleaned(address: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed here
  const trimmed = address.replace(/^[\u0000-\u0020]+|[\u0000-\u0020]+$/g, '').replace(/[\t\n\r]/g, '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are refused here
  return /[\u0000-\u001f\u007f]/.test(trimmed) ? null : trimmed;
}

function withScheme(address: string, allowed: Set<string>): string | null {
  const [whole, name] = /^([a-z][a-z0-9+.-]*):/i.exec(address) ?? [];
  if (!whole || !name) return null;
  const scheme = name.toLowerCase();
  const result = `${scheme}:${address.slice(whole.length)}`;
  if (!allowed.has(scheme)) return null;
  return imageSchemes.has(scheme) && !URL.canParse(result) ? null : result;
}

/** True for a relative address of this site; not for `//host` and its equivalents in browsers. */
function isOfThisSite(address: string): boolean {
  return !/^[\\/]{2}/.test(address) && !/^[^/?#]*:/.test(address);
}

/** An allowed link address: http, https, mailto, tel or of this site; null for any other. */
function linkAddress(address: string): string | null {
  const href = cleaned(address);
  if (!href) return null;
  return isOfThisSite(href) ? href : withScheme(href, linkSchemes);
}

/** An allowed image address: http, https or from this site's root; null for any other. */
function imageAddress(address: string): string | null {
  const src = cleaned(address);
  if (!src) return null;
  return src.startsWith('/') && isOfThisSite(src) ? src : withScheme(src, imageSchemes);
}

/** True if a link accepted by `linkAddress` leaves this site. */
export function isExternal(address: string): boolean {
  return /^https?:/.test(address);
}

function normaliseLink(link: Element): void {
  const { href, name, id } = link.properties;
  if (href !== undefined) link.properties.href = linkAddress(stringProperty(link, 'href')) ?? undefined;
  // `<a name="here">` is the old form of an id; browsers accept both as targets.
  if (name && !id) link.properties.id = stringProperty(link, 'name');
}

/**
 * Removes disallowed addresses and normalises the others for the sanitiser. A disallowed picture is replaced by its alternative
 * text.
 */
export function rehypeAddresses() {
  return (tree: Root) => {
    visit(tree, 'element', (element, index, parent) => {
      if (element.tagName === 'a') normaliseLink(element);
      if (element.tagName !== 'img' || index === undefined || !parent) return;
      const src = imageAddress(stringProperty(element, 'src'));
      if (src) {
        element.properties.src = src;
        return;
      }
      parent.children[index] = { type: 'text', value: stringProperty(element, 'alt') };
      return SKIP;
    });
  };
}
