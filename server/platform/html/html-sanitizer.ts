import rehypeSanitize, { type Options } from 'rehype-sanitize';
import { safeDeclarations, safeStyleSheet } from './html-css';
import { allowedTags, droppedTags } from './html-tags';
import { attribute, type HtmlContent, type HtmlElement, type HtmlRoot } from './html-tree';

export const ID_PREFIX = 'mail-';

const cellAttributes = ['colSpan', 'rowSpan', 'noWrap', 'headers', 'abbr', 'scope', 'char', 'charOff', 'background'];

const schema: Options = {
  tagNames: [...allowedTags],
  strip: [...droppedTags],
  attributes: {
    '*': `className id style title dir lang align vAlign bgColor color width height border role`.split(' '),
    a: ['href', 'target', 'rel', 'name'],
    blockquote: [['type', 'cite']],
    br: ['clear'],
    col: ['span'],
    colgroup: ['span'],
    del: ['dateTime'],
    font: ['face', 'size'],
    hr: ['size', 'noShade'],
    img: ['src', 'alt', 'hSpace', 'vSpace'],
    ins: ['dateTime'],
    li: ['value', 'type'],
    ol: ['start', 'type', 'reversed', 'compact'],
    style: ['media'],
    table: ['cellPadding', 'cellSpacing', 'rules', 'frame', 'summary', 'background'],
    td: cellAttributes,
    th: cellAttributes,
    time: ['dateTime'],
    ul: ['type', 'compact'],
  },
  protocols: {
    href: ['http', 'https', 'mailto', 'tel'],
    src: ['http', 'https', 'data'],
    background: ['http', 'https'],
  },
  clobber: ['id', 'name', 'headers'],
  clobberPrefix: ID_PREFIX,
  required: {},
  allowComments: false,
  allowDoctypes: false,
};

const sanitize = rehypeSanitize(schema);

export interface SanitizerOptions {
  remoteImages: boolean;
  imageUrlOf(contentId: string): string | null;
}

// Browsers ignore tabs and line breaks anywhere in a URL, and control characters and spaces around it.
function bareUrl(url: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are matched on purpose
  return url.replace(/[\u0000-\u001f\u007f-\u009f]/g, '').trim();
}

/** Avoids exceptions: mail may have thousands of invalid URLs, and an exception for each would take a hundred times as long. */
function parsedUrl(url: string): URL | null {
  return URL.canParse(url) ? new URL(url) : null;
}

/** A link as a browser will read it; null unless it is a web, mail or telephone link. */
function safeLink(href: string): string | null {
  const bare = bareUrl(href);
  const url = parsedUrl(/^[/\\]{2}/.test(bare) ? `https:${bare}` : bare);
  return url && ['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol) ? url.href : null;
}

function remoteUrl(source: string): string | null {
  const url = parsedUrl(/^[/\\]{2}/.test(source) ? `https:${source}` : source);
  return url && ['http:', 'https:'].includes(url.protocol)
    ? url.href.replace(/['()]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)
    : null;
}

function dataImage(source: string): string | null {
  if (!/^data:/i.test(source)) return null;
  const compact = source.replace(/\s+/g, '');
  return /^data:image\/(?:png|jpe?g|gif|webp);base64,[a-z0-9+/]*={0,2}$/i.test(compact) ? compact : null;
}

function contentId(source: string): string | null {
  if (!/^cid:/i.test(source)) return null;
  const encoded = source.slice('cid:'.length);
  let id = encoded;
  try {
    id = decodeURIComponent(encoded);
  } catch {
    // A percent sign that encodes nothing is literal.
  }
  return id.trim().replace(/^<|>$/g, '');
}

const noSize = /^0*(?:[01](?:\.\d*)?|\.\d+)(?:px|pt)?$/i;

/** True if an image is too small or hidden to be visible to the reader. */
function isInvisible(image: HtmlElement): boolean {
  const sizes = [attribute(image, 'width'), attribute(image, 'height')];
  const style = attribute(image, 'style');
  for (const declaration of style.split(';')) {
    const [property = '', value = ''] = declaration.split(':').map((part) => part.trim().toLowerCase());
    const plain = value.replace(/\s*!important$/, '');
    if (/^(?:max-)?(?:width|height)$/.test(property)) sizes.push(plain);
    if ((property === 'display' && plain === 'none') || (property === 'visibility' && plain === 'hidden')) return true;
  }
  return sizes.some((size) => noSize.test(size.trim()));
}

class Sanitizer {
  hasRemoteImages = false;

  constructor(private readonly options: SanitizerOptions) {}

  /** Makes the elements below `parent` safe, in place; the tree's depth is already bounded. */
  children(parent: HtmlRoot | HtmlElement): void {
    const kept: HtmlContent[] = [];
    for (const child of parent.children) {
      if (child.type === 'text') kept.push(child);
      if (child.type !== 'element') continue;
      if (child.tagName === 'style') {
        const css = child.children.map((part) => (part.type === 'text' ? part.value : '')).join('');
        const safe = safeStyleSheet(css, this.styleUrl);
        if (safe) kept.push({ ...child, children: [{ type: 'text', value: safe }] });
        continue;
      }
      this.attributes(child);
      if (child.tagName === 'img') {
        const image = this.image(child);
        if (image) kept.push(image);
        continue;
      }
      this.children(child);
      kept.push(child);
    }
    parent.children = kept;
  }

  private readonly styleUrl = (source: string): string | null => this.imageUrl(bareUrl(source));

  /** The URL to load an image from, or null to drop it. */
  private imageUrl(source: string): string | null {
    const id = contentId(source);
    if (id !== null) return this.options.imageUrlOf(id);
    const data = dataImage(source);
    if (data !== null) return data;
    const remote = remoteUrl(source);
    if (remote === null) return null;
    this.hasRemoteImages = true;
    return this.options.remoteImages ? remote : null;
  }

  private attributes(element: HtmlElement): void {
    const { properties } = element;
    const style = attribute(element, 'style');
    if (style) properties.style = safeDeclarations(style, this.styleUrl) || undefined;
    const background = attribute(element, 'background');
    if (background) properties.background = this.remoteBackground(bareUrl(background));
    if (element.tagName === 'a') {
      properties.href = safeLink(attribute(element, 'href')) ?? undefined;
      properties.target = '_blank';
      properties.rel = ['noopener', 'noreferrer', 'nofollow'];
    }
  }

  private remoteBackground(source: string): string | undefined {
    return remoteUrl(source) === null ? undefined : (this.imageUrl(source) ?? undefined);
  }

  private image(image: HtmlElement): HtmlElement | null {
    if (isInvisible(image)) return null;
    const source = bareUrl(attribute(image, 'src'));
    const url = this.imageUrl(source);
    image.properties.src = url ?? undefined;
    image.children = [];
    if (url !== null || remoteUrl(source) !== null) return image;
    const alt = attribute(image, 'alt').trim() || 'Image';
    return {
      type: 'element',
      tagName: 'span',
      properties: { className: ['frontdesk-missing-image'], title: 'This image did not come with the mail' },
      children: [{ type: 'text', value: `[${alt}]` }],
    };
  }
}

/**
 * Sanitises a mail's tree: no scripts, forms, frames or handlers, links only to the web, mail and telephone, and external
 * images only with `remoteImages`. Consumes the given tree. `hasRemoteImages` tells whether the mail refers to external images,
 * shown or not; invisible ones do not count.
 */
export function sanitizeTree(tree: HtmlRoot, options: SanitizerOptions): { tree: HtmlRoot; hasRemoteImages: boolean } {
  const sanitizer = new Sanitizer(options);
  sanitizer.children(tree);
  return { tree: sanitize(tree), hasRemoteImages: sanitizer.hasRemoteImages };
}
