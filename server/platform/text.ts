/** Cleans strings for database and JSON. Has no server dependencies. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed here
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

/** Cleans multi-line text: well-formed, with \n line breaks, without control characters except tab and newline. */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(controls, '').toWellFormed();
}

/** Cleans text to one line, with each run of white space as one space. */
export function cleanLine(text: string): string {
  return cleanText(text)
    .replace(/[\s\u0085]+/g, ' ')
    .trim();
}

/** The first `length` UTF-16 units, or one less to not split a character. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}
