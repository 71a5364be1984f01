import { defaultSchema, type Options } from 'rehype-sanitize';

/**
 * Prefix of all ids in a post. No element of the surrounding page uses it, and a name with a hyphen can't shadow a property of
 * `window` or `document` that scripts use.
 */
export const idPrefix = 'md-';

/** Elements dropped with their content, which is not text. Other unknown elements are unwrapped. */
export const removedWithContent = [
  ...['script', 'style', 'template', 'title', 'textarea', 'select', 'iframe', 'object', 'noembed', 'noframes', 'noscript'],
  ...['svg', 'math', 'audio', 'video', 'canvas'],
];

const dropped = new Set(['picture', 'source', 'strike', 'tt']);

/**
 * The HTML allowed in a post: GitHub's list without anything that sets style, loads resources, or is specific to GitHub's
 * pages. `data-footnote-*` mark remark's own links until the post is finished, and are removed from the result.
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
