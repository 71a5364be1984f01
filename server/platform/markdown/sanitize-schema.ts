import { defaultSchema, type Options } from 'rehype-sanitize';

/**
 * Before every id that a post defines. No element of the page around it starts like this, and a name with a hyphen is no property
 * that a script would find on `window` or `document`.
 */
export const idPrefix = 'md-';

/** Elements whose content is no text of the post: it goes with them. All other unknown elements leave their content. */
export const removedWithContent = [
  ...['script', 'style', 'template', 'title', 'textarea', 'select', 'iframe', 'object', 'noembed', 'noframes', 'noscript'],
  ...['svg', 'math', 'audio', 'video', 'canvas'],
];

const dropped = new Set(['picture', 'source', 'strike', 'tt']);

/**
 * What of HTML a post may contain: GitHub's list without anything that sets style, loads, or is only there for GitHub's pages.
 * `data-footnote-*` tell remark's own links apart until the post is finished; none of it is in the result.
 */
export const sanitizeSchema: Options = {
  ...defaultSchema,
  tagNames: [
    ...(defaultSchema.tagNames ?? []).filter((name) => !dropped.has(name)),
    ...['abbr', 'caption', 'cite', 'col', 'colgroup', 'dfn', 'figcaption', 'figure', 'mark', 'small', 'time', 'u', 'wbr'],
  ],
  attributes: {
    '*': ['id', 'dir', 'lang', 'title', ['align', 'left', 'center', 'right', 'justify']],
    a: ['href', 'ariaLabel', 'ariaDescribedBy', 'dataFootnoteRef', 'dataFootnoteBackref'],
    blockquote: ['cite'],
    code: [['className', /^language-\S{1,40}$/]],
    col: ['span'],
    del: ['cite', 'dateTime'],
    details: ['open'],
    h2: [['className', 'sr-only']],
    img: ['src', 'alt'],
    input: ['checked', ['disabled', true], ['type', 'checkbox']],
    ins: ['cite', 'dateTime'],
    li: [['className', 'task-list-item'], 'value'],
    ol: [['className', 'contains-task-list'], 'start', 'reversed', ['type', '1', 'a', 'A', 'i', 'I']],
    q: ['cite'],
    section: ['dataFootnotes', ['className', 'footnotes']],
    td: ['colSpan', 'rowSpan', 'headers'],
    th: ['colSpan', 'rowSpan', 'headers', 'abbr', ['scope', 'col', 'row', 'colgroup', 'rowgroup']],
    time: ['dateTime'],
    ul: [['className', 'contains-task-list']],
  },
  clobber: ['ariaDescribedBy', 'ariaLabelledBy', 'headers', 'id', 'name'],
  clobberPrefix: idPrefix,
  protocols: { cite: ['http', 'https'], href: ['http', 'https', 'mailto', 'tel'], src: ['http', 'https'] },
  strip: removedWithContent,
};
