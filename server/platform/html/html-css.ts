/** Maps a url() in a style to the URL to load, or null to block it. */
type StyleUrl = (url: string) => string | null;

const MAX_RULE_DEPTH = 4;

const functions = new Set(
  `rgb rgba hsl hsla hwb lab lch oklab oklch color-mix calc min max clamp var linear-gradient radial-gradient conic-gradient
  repeating-linear-gradient repeating-radial-gradient translate translatex translatey scale scalex scaley rotate skew matrix
  cubic-bezier steps blur brightness contrast grayscale opacity drop-shadow minmax repeat fit-content`.split(/\s+/),
);
const forbiddenProperties = /^(?:behavior|-moz-binding|-ms-behavior|src|mso-.*|-webkit-user-modify)$/;
const plainValue = /^(?:[^"'(){}[\]<>\\@;]|"[^"\n\r\f<>\\]*"|'[^'\n\r\f<>\\]*')*$/;
const urlCall = /\burl\(\s{0,9}(?:"([^"\\\n\r\f]*)"|'([^'\\\n\r\f]*)'|([^"'()\\\s]*))\s{0,9}\)/gi;

function withoutComments(css: string): string {
  let result = '';
  let at = 0;
  for (let open = css.indexOf('/*'); open >= 0; open = css.indexOf('/*', at)) {
    result += `${css.slice(at, open)} `;
    const close = css.indexOf('*/', open + 2);
    if (close < 0) return result;
    at = close + 2;
  }
  return result + css.slice(at);
}

/** The position of the next character in `stops` outside strings and parentheses; the end if there is none. */
function nextStop(css: string, from: number, stops: string): number {
  let quote = '';
  let depth = 0;
  for (let at = from; at < css.length; at++) {
    const character = css[at] ?? '';
    if (character === '\\') at += 1;
    else if (quote) {
      if (character === quote || character === '\n') quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')') depth = Math.max(0, depth - 1);
    else if (depth === 0 && stops.includes(character)) return at;
  }
  return css.length;
}

function balanced(value: string): string | null {
  let depth = 0;
  for (const character of value) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth < 0) return null;
  }
  return depth === 0 ? value : null;
}

/** A value with mapped URLs, or null if any part is not known to be harmless. */
function safeValue(value: string, styleUrl: StyleUrl): string | null {
  if (/[\\<>{}@;]/.test(value.replace(urlCall, ''))) return null;
  const urls: string[] = [];
  let refused = false;
  const rest = value.replace(urlCall, (_call, double?: string, single?: string, bare?: string) => {
    const decided = styleUrl(double ?? single ?? bare ?? '');
    if (decided === null || /["\\<>\n\r\f]/.test(decided)) refused = true;
    else urls.push(`url("${decided}")`);
    return '\u0000';
  });
  if (refused || rest.split('\u0000').length !== urls.length + 1) return null;
  // In a string, "url(" is plain text and must stay so.
  if ([...rest.matchAll(/"[^"]*"?|'[^']*'?/g)].some(([text]) => text.includes('\u0000'))) return null;
  const withoutStrings = rest.replace(/"[^"\n\r\f]*"|'[^'\n\r\f]*'/g, '');
  for (const [, name = ''] of withoutStrings.matchAll(/([\w-]*)\(/g)) {
    if (name !== '' && !functions.has(name.toLowerCase())) return null;
  }
  if (balanced(withoutStrings) === null || !plainValue.test(rest.replace(/[()]/g, ' '))) return null;
  return rest.replaceAll('\u0000', () => urls.shift() ?? 'none').replace(/\s+/g, ' ');
}

/**
 * The declarations of a style attribute or rule that neither load anything `styleUrl` blocks nor move elements out of flow
 * (only position static and relative). Ambiguous syntax that browsers might read differently is dropped.
 */
export function safeDeclarations(css: string, styleUrl: StyleUrl): string {
  const source = withoutComments(css);
  const kept: string[] = [];
  for (let at = 0; at < source.length; ) {
    const end = nextStop(source, at, ';');
    const declaration = source.slice(at, end);
    at = end + 1;
    const colon = declaration.indexOf(':');
    const property = declaration.slice(0, colon).trim().toLowerCase();
    if (colon < 0 || !/^-{0,2}[a-z][a-z0-9-]*$/.test(property) || forbiddenProperties.test(property)) continue;
    const value = safeValue(declaration.slice(colon + 1).trim(), styleUrl);
    if (!value || (property === 'position' && !/^(?:static|relative)\b/i.test(value))) continue;
    kept.push(`${property}: ${value}`);
  }
  return kept.join('; ');
}

/** The end of the block that begins after a `{` at `from`: the matching `}`, or the end of the text. */
function blockEnd(css: string, from: number): number {
  let depth = 1;
  for (let at = nextStop(css, from, '{}'); at < css.length; at = nextStop(css, at + 1, '{}')) {
    depth += css[at] === '{' ? 1 : -1;
    if (depth === 0) return at;
  }
  return css.length;
}

/**
 * Rewrites a style sheet: selectors and media queries with safe declarations. Other at-rules (imports, fonts, key frames) are
 * dropped.
 */
export function safeStyleSheet(css: string, styleUrl: StyleUrl, depth = 0): string {
  // Old mail hides style sheets in HTML comments; these marks have no meaning in CSS.
  const source = withoutComments(css.replace(/<!--|-->/g, ' '));
  const kept: string[] = [];
  for (let at = 0; at < source.length; ) {
    const stop = nextStop(source, at, '{;}');
    const prelude = source.slice(at, stop).trim();
    at = stop + 1;
    if (source[stop] !== '{') continue;
    const end = blockEnd(source, at);
    const block = source.slice(at, end);
    at = end + 1;
    if (/^@media\b[\w\s:,()./-]*$/i.test(prelude) && balanced(prelude) !== null) {
      const inner = depth < MAX_RULE_DEPTH ? safeStyleSheet(block, styleUrl, depth + 1) : '';
      if (inner) kept.push(`${prelude} {\n${inner}\n}`);
    } else if (/^(?:[^@{}<;"'\\()]|\\[:./%[\]]|"[^"\n\r\f<\\]*"|'[^'\n\r\f<\\]*'|\([^()<{}"'\\]*\))+$/.test(prelude)) {
      const declarations = safeDeclarations(block, styleUrl);
      if (declarations && !block.includes('{')) kept.push(`${prelude} { ${declarations} }`);
    }
  }
  return kept.join('\n');
}
