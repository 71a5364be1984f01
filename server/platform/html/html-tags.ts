/** Allowed elements. All others are unwrapped, or dropped with their content if listed below. */
export const allowedTags: readonly string[] =
  `a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn dir div dl dt em
  figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark menu nav nobr ol p pre q s samp section small span
  strike strong style sub sup table tbody td tfoot th thead time tr tt u ul var wbr`.split(/\s+/);

/** Elements whose content is not readable text, or is not parsed as HTML. */
export const droppedTags: readonly string[] =
  `applet audio button canvas datalist dialog embed frame frameset iframe input link map math meta noembed noframes noscript object
  optgroup option param plaintext script select source svg template textarea title track video xmp`.split(/\s+/);

/** Elements without an end tag. */
export const voidTags: ReadonlySet<string> = new Set(
  'area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr'.split(' '),
);

/** Elements whose content is raw text up to their own end tag. */
export const rawTextTags: ReadonlySet<string> = new Set(
  'iframe noembed noframes noscript script style textarea title xmp'.split(' '),
);

/** Elements that a parser automatically reopens if left open. Source: WHATWG HTML, "formatting" elements. */
export const formattingTags: ReadonlySet<string> = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '));
