/**
 * What is new in the text of a message and what it repeats of earlier ones. Works in a browser as well; every function takes time in
 * proportion to the text and never throws.
 */

/** In UTF-16 units. */
const previewLength = 200;

/** Longer lines are nobody's attribution; this bounds what the expressions below look at. */
const longestAttribution = 400;

/** An attribution may be broken over this many lines. */
const attributionLines = 3;

/** How attributions that begin with a date begin and go on, in lower case. Plain words, since expressions could run for long. */
const datedForms: [start: string, verbs: string[]][] = [
  ['on ', [' wrote:']],
  ['am ', [' schrieb ', ' schrieb:', ' geschrieben:']],
  ['le ', [' a écrit:', ' a ecrit:']],
  ['el ', [' escribió:', ' escribio:']],
  ['il ', [' ha scritto:']],
  ['em ', [' escreveu:']],
  ['op ', [' schreef ', ' schreef:']],
];

/** Those of attributions that begin with a name and its address. */
const namedForms = [' wrote:', ' schrieb:', ' schrieb am ', ' a écrit:', ' escribió:', ' ha scritto:', ' escreveu:', ' schreef:'];

/** Outlook's line above what it repeats, in the languages it speaks most. */
const separator =
  /^-{2,}\s?(?:original message|original appointment|forwarded message|urspr[üu]ngliche nachricht|weitergeleitete nachricht|message d'origine|message transf[ée]r[ée]|mensaje original|mensaje reenviado)\s?-{2,}$/i;

/** The first and a later line of the header block Outlook repeats. */
const blockStart = /^\*?(?:from|von|de|exp[ée]diteur)\s?:\*?\s?\S/i;
const blockFollowing = /^\*?(?:sent|date|gesendet|datum|envoy[ée]|enviado(?: el)?|fecha)\s?:\*?\s?\S/i;

interface Line {
  /** Without white space around it. */
  content: string;
  /** Offset of its first character in the text. */
  start: number;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    lines.push({ content: line.trim(), start });
    start += line.length + 1;
  }
  return lines;
}

function isQuote(line: Line | undefined): boolean {
  return line?.content.startsWith('>') ?? false;
}

function isAttribution(line: string): boolean {
  if (line.length > longestAttribution || !line.endsWith(':')) return false;
  const text = line.toLowerCase().replace(/\s/g, ' ').replace(/ :$/, ':');
  // Without a number or an address it is a sentence of the writer's own.
  const isDated =
    /[\d@]/.test(text) &&
    datedForms.some(([start, verbs]) => text.startsWith(start) && verbs.some((verb) => text.includes(verb)));
  return isDated || (text.includes('@') && namedForms.some((verb) => text.includes(verb)));
}

/** How many lines from `index` on are an attribution; 0 where none begins there. */
function attributionAt(lines: readonly Line[], index: number): number {
  let text = '';
  for (let count = 1; count <= attributionLines; count++) {
    const content = lines[index + count - 1]?.content ?? '';
    if (content === '' || content.startsWith('>') || text.length + content.length > longestAttribution) return 0;
    text = text === '' ? content : `${text} ${content}`;
    if (isAttribution(text)) return count;
    // One that begins with a name tells itself apart only at its end, so a longer one has to begin with a date.
    if (count === 1 && !datedForms.some(([start]) => content.toLowerCase().startsWith(start))) return 0;
  }
  return 0;
}

/** True where Outlook's repetition begins: everything after it is old, quoted or not. */
function isOutlookStart(lines: readonly Line[], index: number): boolean {
  const content = lines[index]?.content ?? '';
  if (content.length > longestAttribution) return false;
  if (separator.test(content)) return true;
  if (!blockStart.test(content)) return false;
  return [1, 2].some((distance) => blockFollowing.test((lines[index + distance]?.content ?? '').slice(0, longestAttribution)));
}

function nextFilled(lines: readonly Line[], index: number): number {
  let next = index;
  while (next < lines.length && lines[next]?.content === '') next++;
  return next;
}

/** The last line that is neither empty nor quoted; -1 where there is none. */
function lastUnquoted(lines: readonly Line[]): number {
  let last = lines.length - 1;
  while (last >= 0 && (lines[last]?.content === '' || isQuote(lines[last]))) last--;
  return last;
}

/** The line the trailing quotation begins with; the number of lines where there is none. */
function quotationStart(lines: readonly Line[]): number {
  const unquotedEnd = lastUnquoted(lines);
  for (let index = 0; index < lines.length; index++) {
    if (isOutlookStart(lines, index)) return index;
    const attribution = attributionAt(lines, index);
    if (attribution === 0) continue;
    const after = nextFilled(lines, index + attribution);
    const isMarked = isQuote(lines[after]);
    // Where what was quoted is marked, an answer between or below the marks keeps the whole from being folded away.
    if (isMarked ? unquotedEnd < after : after < lines.length) return index;
  }
  const block = nextFilled(lines, unquotedEnd + 1);
  const answersBetween = lines.slice(0, Math.max(unquotedEnd, 0)).some(isQuote);
  return isQuote(lines[block]) && !answersBetween ? block : lines.length;
}

/**
 * Cuts a text in front of what it repeats at its end: an attribution with all that follows, Outlook's header block, a block of quoted
 * lines. Where answers stand between or below the quotes, nothing is cut. `fresh + quoted` is the text.
 */
export function splitQuoted(text: string): { fresh: string; quoted: string } {
  const lines = linesOf(text);
  const cut = lines[quotationStart(lines)]?.start ?? text.length;
  return { fresh: text.slice(0, cut), quoted: text.slice(cut) };
}

/** In one line, at most `previewLength` long and not cut inside a character. */
function inOneLine(text: string): string {
  // Four times as much leaves enough where much of it is white space, and bounds the work.
  const line = text
    .trimStart()
    .slice(0, previewLength * 4)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= previewLength) return line.toWellFormed();
  const last = line.charCodeAt(previewLength - 2);
  const end = last >= 0xd800 && last < 0xdc00 ? previewLength - 2 : previewLength - 1;
  return `${line.slice(0, end).trimEnd()}…`.toWellFormed();
}

/** The lines that are the writer's own: no quotes, no attributions, nothing from the signature on (RFC 3676 4.3). */
function ownLines(fresh: string): string {
  const lines = linesOf(fresh);
  const kept: string[] = [];
  let length = 0;
  for (let index = 0; index < lines.length && length < previewLength * 4; index++) {
    const line = lines[index] as Line;
    if (line.content === '--' && kept.length > 0) break;
    const attribution = attributionAt(lines, index);
    if (attribution > 0) index += attribution - 1;
    else if (line.content !== '' && !isQuote(line)) {
      kept.push(line.content);
      length += line.content.length + 1;
    }
  }
  return kept.join(' ');
}

/**
 * The beginning of a message for a list: one line of at most 200 characters of what is new in it. Where nothing is, of the whole text.
 */
export function previewOf(text: string): string {
  return inOneLine(ownLines(splitQuoted(text).fresh)) || inOneLine(text);
}
