/** Strings out of messages, made fit for the database and JSON. Nothing in here depends on a server. */

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this is about
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

/** Text of several lines: well-formed, its lines ended by \n, without control characters except tab and newline. */
export function cleanText(text: string): string {
  return text.replace(/\r\n?/g, '\n').replace(controls, '').toWellFormed();
}

/** The same in one line, every run of white space being one space. */
export function cleanLine(text: string): string {
  return cleanText(text)
    .replace(/[\s\u0085]+/g, ' ')
    .trim();
}

/** The first `length` UTF-16 units, one less where that would cut a character in two. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}
