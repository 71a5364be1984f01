/**
 * Separates a message's new text from quoted earlier messages. Also works in a browser; every function takes linear time and
 * never throws.
 */

/** In UTF-16 units. */
const previewLength = 200;

/** How much of a text is looked at for its preview, in UTF-16 units. */
const previewSource = 64 * 1024;

/** A longer line is not an attribution; this bounds the regular expressions below. */
const longestAttribution = 400;

/** Maximum lines that an attribution may span. */
const attributionLines = 3;

/**
 * The beginnings and verbs of attributions that start with a date, in lower case. Plain strings, since regular expressions
 * could backtrack for long.
 */
const datedForms: [start: string, verbs: string[]][] = [
  ['on ', [' wrote:']],
  ['am ', [' schrieb ', ' schrieb:', ' geschrieben:']],
  ['le ', [' a écrit:', ' a ecrit:']],
  ['el ', [' escribió:', ' escribio:']],
  ['il ', [' ha scritto:']],
  ['em ', [' escreveu:']],
  ['op ', [' schreef ', ' schreef:']],
];

/** Verbs of attributions that start with a name and address. */
const namedForms = [' wrote:', ' schrieb:', ' schrieb am ', ' a écrit:', ' escribió:', ' ha scritto:', ' escreveu:', ' schreef:'];

/** Outlook's separator above quoted mail, in its most common languages. */
const separator =
  /^-{2,}\s?(?:original message|original appointment|forwarded message|urspr[üu]ngliche nachricht|weitergeleitete nachricht|message d'origine|message transf[ée]r[ée]|mensaje original|mensaje reenviado)\s?-{2,}$/i;

/** The first and later lines of Outlook's quoted header block. */
const blockStart = /^\*?(?:from|von|de|exp[ée]diteur)\s?:\*?\s?\S/i;
const blockFollowing = /^\*?(?:sent|date|gesendet|datum|envoy[ée]|enviado(?: el)?|fecha)\s?:\*?\s?\S/i;

interface Line {
  /** Trimmed. */
  content: string;
  /** Offset of the line's first character in the text. */
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
  // Without a number or an address it is an ordinary sentence.
  const isDated =
    /[\d@]/.test(text) &&
    datedForms.some(([start, verbs]) => text.startsWith(start) && verbs.some((verb) => text.includes(verb)));
  return isDated || (text.includes('@') && namedForms.some((verb) => text.includes(verb)));
}

/** Number of attribution lines from `index`; 0 if there is none. */
function attributionAt(lines: readonly Line[], index: number): number {
  let text = '';
  for (let count = 1; count <= attributionLines; count++) {
    const content = lines[index + count - 1]?.content ?? '';
    if (content === '' || content.startsWith('>') || text.length + content.length > longestAttribution) return 0;
    text = text === '' ? content : `${text} ${content}`;
    if (isAttribution(text)) return count;
    // An attribution that starts with a name is recognisable only at its end, so one of several lines must start with a date.
    if (count === 1 && !datedForms.some(([start]) => content.toLowerCase().startsWith(start))) return 0;
  }
  return 0;
}

/** True where Outlook's quoted mail begins: everything after it is old, with or without quote marks. */
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

/** The last line that is neither empty nor quoted; -1 if there is none. */
function lastUnquoted(lines: readonly Line[]): number {
  let last = lines.length - 1;
  while (last >= 0 && (lines[last]?.content === '' || isQuote(lines[last]))) last--;
  return last;
}

/** The first line of the trailing quotation; the number of lines if there is none. */
function quotationStart(lines: readonly Line[]): number {
  const unquotedEnd = lastUnquoted(lines);
  for (let index = 0; index < lines.length; index++) {
    if (isOutlookStart(lines, index)) return index;
    const attribution = attributionAt(lines, index);
    if (attribution === 0) continue;
    const after = nextFilled(lines, index + attribution);
    const isMarked = isQuote(lines[after]);
    // With quote marks, an answer between or below them prevents folding.
    if (isMarked ? unquotedEnd < after : after < lines.length) return index;
  }
  const block = nextFilled(lines, unquotedEnd + 1);
  const answersBetween = lines.slice(0, Math.max(unquotedEnd, 0)).some(isQuote);
  return isQuote(lines[block]) && !answersBetween ? block : lines.length;
}

/**
 * Splits a text before its trailing quotation: an attribution with everything after it, Outlook's header block, a block of
 * quoted lines. With answers between or below the quotes, nothing is split. `fresh + quoted` is the text.
 */
export function splitQuoted(text: string): { fresh: string; quoted: string } {
  const lines = linesOf(text);
  const cut = lines[quotationStart(lines)]?.start ?? text.length;
  return { fresh: text.slice(0, cut), quoted: text.slice(cut) };
}

/** One line of at most `previewLength`, not cut within a character. */
function inOneLine(text: string): string {
  // Four times the length allows for white space, and bounds the work.
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

/** The writer's own lines: without quotes, attributions and signature (RFC 3676 4.3). */
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

/** A message's preview for lists: one line of at most 200 characters of its new text, or of the whole text if there is none. */
export function previewOf(text: string): string {
  const begun = text.slice(0, previewSource);
  return inOneLine(ownLines(splitQuoted(begun).fresh)) || inOneLine(text);
}
