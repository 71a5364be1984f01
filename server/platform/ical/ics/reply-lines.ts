/** Reads lines of iCalendar tolerantly, beyond RFC 5545 3.1. Time and memory are linear in the length of the text. */

export interface ReadLine {
  /** Upper-case. */
  name: string;
  /** By upper-case name; the first of several values. */
  parameters: Map<string, string>;
  /** Raw, including escapes. */
  value: string;
}

/** No real reply has this many lines, but a text of only line breaks does. */
const maximumLines = 100_000;
const maximumParameters = 50;

/** Lines that begin like this are never continuations, even of a broken line. */
const certainBeginning =
  /^(?:BEGIN|END|METHOD|PRODID|VERSION|UID|DTSTAMP|DTSTART|DTEND|SEQUENCE|SUMMARY|ORGANIZER|ATTENDEE|COMMENT|STATUS|RECURRENCE-ID|REQUEST-STATUS|CREATED|LAST-MODIFIED)\s*[:;]/i;

const anyBeginning = /^[A-Za-z][A-Za-z0-9-]{0,60}\s*[:;]/;

/** Tracks quotes across the pieces of a line, to know whether its value has begun. */
class OpenLine {
  private readonly pieces: string[] = [];
  private isQuoted = false;
  hasValue = false;

  constructor(beginning: string) {
    this.add(beginning);
  }

  add(piece: string): void {
    this.pieces.push(piece);
    for (let at = 0; at < piece.length && !this.hasValue; at++) {
      const character = piece[at];
      if (character === '"') this.isQuoted = !this.isQuoted;
      else if (character === ':' && !this.isQuoted) this.hasValue = true;
    }
  }

  text(): string {
    return this.pieces.join('');
  }
}

/** Unfolded lines, including continuations that lost their leading space in transit. */
export function unfoldedLines(text: string): string[] {
  const lines: string[] = [];
  let open: OpenLine | null = null;
  for (const piece of text.split(/\r\n|\n|\r/, maximumLines)) {
    if (open !== null && /^[ \t]/.test(piece)) open.add(piece.slice(1));
    else if (piece === '') continue;
    else if (open !== null && !certainBeginning.test(piece) && !(open.hasValue && anyBeginning.test(piece))) open.add(piece);
    else {
      if (open !== null) lines.push(open.text());
      open = new OpenLine(piece.trimStart());
    }
  }
  if (open !== null) lines.push(open.text());
  return lines;
}

/**
 * The position of the value: after the first colon outside quotes; if a quote never ends, after the last colon before an
 * address.
 */
function valuePosition(line: string): number {
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (character === ':' && !isQuoted) return at;
  }
  const address = line.toLowerCase().lastIndexOf(':mailto:');
  return address < 0 ? line.indexOf(':') : address;
}

/** Splits at semicolons outside quotes. */
function pieces(head: string): string[] {
  const found: string[] = [];
  let isQuoted = false;
  let from = 0;
  for (let at = 0; at < head.length && found.length <= maximumParameters; at++) {
    const character = head[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (character === ';' && !isQuoted) {
      found.push(head.slice(from, at));
      from = at + 1;
    }
  }
  found.push(head.slice(from));
  return found;
}

const caretSigns: Record<string, string> = { '^n': '\n', '^N': '\n', "^'": '"', '^^': '^' };

function parameterText(written: string): string {
  const trimmed = written.trim();
  const quoted = /^"([^"]*)"/.exec(trimmed)?.[1];
  return (quoted ?? trimmed.replaceAll('"', '')).replace(/\^[nN'^]/g, (sign) => caretSigns[sign] ?? sign);
}

/** The parts of an unfolded line; null if it has no value. */
export function readLine(line: string): ReadLine | null {
  const colon = valuePosition(line);
  if (colon < 0) return null;
  const [name = '', ...rest] = pieces(line.slice(0, colon));
  const parameters = new Map<string, string>();
  for (const parameter of rest) {
    const equals = parameter.indexOf('=');
    const key = parameter.slice(0, Math.max(equals, 0)).trim().toUpperCase();
    if (key !== '' && !parameters.has(key)) parameters.set(key, parameterText(parameter.slice(equals + 1)));
  }
  return { name: name.trim().toUpperCase(), parameters, value: line.slice(colon + 1) };
}

const textSigns: Record<string, string> = { n: '\n', N: '\n' };

/** Unescapes a TEXT value (RFC 5545 3.3.11). */
export function unescapedText(value: string): string {
  return value.replace(/\\([\\;,:nN"])/g, (_, sign: string) => textSigns[sign] ?? sign);
}
