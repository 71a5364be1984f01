/** Writes lines of iCalendar (RFC 5545 3.1): escaped, folded, terminated. Any input results in exactly one line. */

/** RFC 5545 3.1, without the line break. */
const maximumOctets = 75;

/** Everything that some reader treats as a line break, besides the one in RFC 5545. */
const lineBreaks = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: RFC 5545 3.1 forbids them in values; tab and line feed are handled separately
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

const trueControls = new RegExp(`${controls.source}|\\n`, 'g');

function cleaned(text: string): string {
  return text.replace(lineBreaks, '\n').replace(controls, '').toWellFormed();
}

/** Normalises line breaks to \n and removes control characters except tabs. */
export function cleanText(text: string): string {
  return cleaned(text).trim();
}

/** Text on one line. */
export function cleanLine(text: string): string {
  const lines = cleaned(text).split('\n');
  return lines
    .map((line) => line.trim())
    .join(' ')
    .trim();
}

/** Encodes clean text as a TEXT value (RFC 5545 3.3.11). */
function textValue(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\n/g, '\\n');
}

/** A parameter's value, quoted if needed; quotes and line breaks in it as in RFC 6868. */
function parameterValue(text: string): string {
  const encoded = cleanText(text).replace(/\^/g, '^^').replace(/\n/g, '^n').replace(/"/g, "^'");
  return /[,;:]/.test(encoded) ? `"${encoded}"` : encoded;
}

function octetsOf(codeUnit: number): number {
  if (codeUnit < 0x80) return 1;
  return codeUnit < 0x800 ? 2 : 3;
}

/** Folds between characters, never within one: readers that decode before they unfold would see garbage. */
function folded(line: string): string {
  if (line.length * 3 <= maximumOctets) return line;
  let written = '';
  let octets = 0;
  let from = 0;
  for (let at = 0; at < line.length; at++) {
    const codeUnit = line.charCodeAt(at);
    const isPair = codeUnit >= 0xd800 && codeUnit < 0xdc00;
    const size = isPair ? 4 : octetsOf(codeUnit);
    if (octets + size > maximumOctets) {
      written += `${line.slice(from, at)}\r\n `;
      from = at;
      octets = 1;
    }
    octets += size;
    if (isPair) at++;
  }
  return written + line.slice(from);
}

/**
 * A folded property with its line break.
 * @param value Encoded for the property's type: `textValue()` for TEXT. Remaining line breaks and control characters are
 * dropped.
 * @param parameters In order; several values of one as an array.
 */
export function contentLine(name: string, value: string, parameters: Record<string, string | string[]> = {}): string {
  let line = name;
  for (const [parameter, given] of Object.entries(parameters)) {
    line += `;${parameter}=${typeof given === 'string' ? parameterValue(given) : given.map(parameterValue).join(',')}`;
  }
  return `${folded(`${line}:${value.replace(trueControls, '').toWellFormed()}`)}\r\n`;
}

/** A TEXT property; empty for an empty text. */
export function textLine(name: string, text: string): string {
  return text === '' ? '' : contentLine(name, textValue(text));
}
