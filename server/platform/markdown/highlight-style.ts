interface TokenStyle {
  /** Text colours with at least 4.5:1 on light (#fbfbf9) and on dark (#161615) code blocks. */
  light: string;
  dark: string;
  /** TextMate scopes; the most specific match wins. */
  scopes: string[];
}

/** Kinds of highlighted tokens, with the class `tok-<kind>`. */
export const tokenStyles: Record<string, TokenStyle> = {
  comment: { light: '#6a6860', dark: '#96938a', scopes: ['comment', 'punctuation.definition.comment'] },
  string: {
    light: '#176338',
    dark: '#8fd0a5',
    scopes: ['string', 'markup.inline.raw', 'markup.fenced_code', 'punctuation.definition.string'],
  },
  constant: {
    light: '#8a4b08',
    dark: '#e5b176',
    scopes: ['constant', 'support.constant', 'variable.language', 'variable.other.enummember'],
  },
  keyword: {
    light: '#a1195b',
    dark: '#f08cae',
    scopes: ['keyword', 'storage', 'punctuation.definition.keyword', 'keyword.operator.expression', 'keyword.operator.new'],
  },
  operator: { light: '#4d4b45', dark: '#b9b6ac', scopes: ['keyword.operator', 'storage.type.function.arrow'] },
  function: {
    light: '#5b3fb8',
    dark: '#bda7f7',
    scopes: ['entity.name.function', 'support.function', 'meta.function-call.generic', 'variable.function'],
  },
  type: {
    light: '#0d5c6b',
    dark: '#7fc9d6',
    scopes: ['entity.name.type', 'entity.name.class', 'entity.other.inherited-class', 'support.type', 'support.class'],
  },
  tag: { light: '#1a4f93', dark: '#8cbcec', scopes: ['entity.name.tag', 'markup.underline.link', 'string.other.link'] },
  attribute: {
    light: '#75520a',
    dark: '#dcc08a',
    scopes: ['entity.other.attribute-name', 'support.type.property-name', 'meta.object-literal.key', 'variable.parameter'],
  },
  heading: { light: '#1a4f93', dark: '#8cbcec', scopes: ['markup.heading', 'entity.name.section', 'meta.diff.header'] },
  inserted: { light: '#176338', dark: '#8fd0a5', scopes: ['markup.inserted', 'punctuation.definition.inserted'] },
  deleted: { light: '#a8201a', dark: '#f29a94', scopes: ['markup.deleted', 'punctuation.definition.deleted', 'invalid'] },
};

function rule([kind, { light, dark }]: [string, TokenStyle]): string {
  return `.tok-${kind}{color:${light};color:light-dark(${light},${dark})}`;
}

/**
 * The stylesheet of highlighted code, for a page that sets `color-scheme`. Rendered posts contain no colours, since public
 * pages allow no inline style.
 */
export const highlightCss = Object.entries(tokenStyles).map(rule).join('\n');
