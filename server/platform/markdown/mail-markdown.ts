import rehypeSanitize, { defaultSchema, type Options } from 'rehype-sanitize';
import rehypeStringify from 'rehype-stringify';
import remarkBreaks from 'remark-breaks';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import remarkRehype from 'remark-rehype';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { htmlToText, maximumHtmlLength } from '../html/html-text';
import { MarkdownTooLargeError, rehypeOutputLimit, remarkExpansionLimit } from './limits';
import { pictureContentId } from './mail-picture';
import { type Element, type Root, stringProperty } from './tree';

/** An email that was written in Markdown, in both of its parts. */
export interface MailMarkdown {
  /** Null if it could not be rendered within the limits. */
  html: string | null;
  text: string;
  /** The ids of the attachments that the HTML shows, each once. */
  pictures: string[];
}

/** Maximum HTML of an email, in UTF-16 units: as much as clients may give. */
const maximumHtml = 500_000;

const pictureScheme = 'attachment:';

/** What mail programs show alike: text, lists, quotes, tables and pictures. */
const schema: Options = {
  ...defaultSchema,
  tagNames: [
    ...['a', 'blockquote', 'br', 'code', 'del', 'em', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'img', 'li', 'ol', 'p', 'pre'],
    ...['strong', 'table', 'tbody', 'td', 'th', 'thead', 'tr', 'ul'],
  ],
  attributes: { a: ['href', 'title'], img: ['src', 'alt'], ol: ['start'], td: ['align'], th: ['align'] },
  protocols: { href: ['http', 'https', 'mailto', 'tel'], src: ['https', pictureScheme.slice(0, -1)] },
};

/** Checkboxes of task lists as characters: emails have no fields. */
function rehypeCheckboxes() {
  return (tree: Root) => {
    visit(tree, 'element', ({ tagName, properties }, index, parent) => {
      if (tagName !== 'input' || !parent || index === undefined) return;
      parent.children[index] = { type: 'text', value: properties.checked ? '☑' : '☐' };
    });
  };
}

const tableStyle = { border: 1, cellPadding: 6, style: 'border-collapse:collapse' };

const isAbsolute = (address: string) => /^[a-z]+:/i.test(address);

/** Makes the pictures of a tree those of the email, and gives tables lines. @returns ids of attachments */
function finish(tree: Root): string[] {
  const pictures = new Set<string>();
  visit(tree, 'element', (element: Element, index, parent) => {
    const { tagName, properties } = element;
    if (tagName === 'table') Object.assign(properties, tableStyle);
    // An email has no address that others could be relative to.
    if (tagName === 'a' && !isAbsolute(stringProperty(element, 'href'))) delete properties.href;
    if (tagName !== 'img' || !parent || index === undefined) return;
    const address = stringProperty(element, 'src');
    if (address.startsWith(pictureScheme)) {
      const id = address.slice(pictureScheme.length).toLowerCase();
      pictures.add(id);
      properties.src = `cid:${pictureContentId(id)}`;
    } else if (!isAbsolute(address)) parent.children[index] = { type: 'text', value: stringProperty(element, 'alt') };
    properties.style = 'max-width:100%';
  });
  return [...pictures];
}

const parser = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkBreaks)
  .use(remarkExpansionLimit)
  // Typed tags are text: nothing that was written gets lost.
  .use(remarkRehype, { handlers: { html: (_, { value }: { value: string }) => ({ type: 'text', value }) } })
  .use(rehypeCheckboxes)
  .use(rehypeSanitize, schema)
  .use(rehypeOutputLimit)
  .freeze();

const serialiser = unified().use(rehypeStringify).freeze();

/**
 * Renders an email's Markdown: CommonMark with GitHub's extensions, in which a line break is one. HTML in it is shown as text. Pictures are
 * attachments, `![Map](attachment:<id>)`, or on servers with https. The text has the addresses of links behind them.
 *
 * Has no time limit: on a server use `renderPool().mailMarkdown`, which has one.
 *
 * @throws MarkdownTooLargeError for a result beyond the limits
 */
export async function renderMailMarkdown(markdown: string): Promise<MailMarkdown & { html: string }> {
  const tree = await parser.run(parser.parse(markdown));
  const pictures = finish(tree);
  const html = serialiser.stringify(tree);
  if (html.length > maximumHtml) throw new MarkdownTooLargeError('The email is too large.');
  // Longer HTML would be cut.
  const text = html.length > maximumHtmlLength ? markdown : htmlToText(html, { keepsAddresses: true });
  return { html, text, pictures };
}
