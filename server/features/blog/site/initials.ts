/** The first character of a name as people see it, in capitals; empty for a name without letters or digits. */
function firstLetter(word: string, language: string): string {
  const start = /[\p{L}\p{N}]\p{M}*/u.exec(word)?.[0] ?? '';
  return start.toLocaleUpperCase(language);
}

/** Letters of the first and last word of a name: what stands where a picture of its bearer would. */
export function initials(name: string, language: string): string {
  const letters = name
    .split(/\s+/)
    .map((word) => firstLetter(word, language))
    .filter(Boolean);
  return letters.length < 2 ? letters.join('') : `${letters[0]}${letters.at(-1)}`;
}
