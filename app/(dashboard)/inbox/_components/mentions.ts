/** Mentions in notes: `@` and a colleague's name. */

export interface Mentionable {
  userId: string;
  name: string;
}

/** A mention that is being typed: where its `@` is, and what follows it up to the cursor. */
interface TypedMention {
  start: number;
  query: string;
}

/** Suggestions at a time. */
const shown = 6;

/** An `@` at the start of a word, and up to two words after it: names have spaces. */
const typed = /(?:^|[\s(])@([^\s@]{0,40}(?: [^\s@]{0,40})?)$/u;

/** The mention at the cursor, if one is being typed. */
export function mentionAt(text: string, caret: number): TypedMention | null {
  const query = typed.exec(text.slice(0, caret))?.[1];
  return query === undefined ? null : { start: caret - query.length - 1, query };
}

/** The colleagues with a word of their name that starts with what is typed. */
export function suggestionsFor(query: string, members: readonly Mentionable[]): Mentionable[] {
  const wanted = query.toLocaleLowerCase();
  const matches = ({ name }: Mentionable) => ` ${name.toLocaleLowerCase()}`.includes(` ${wanted}`);
  return members.filter(matches).slice(0, shown);
}

/** The text with the mention completed, and where the cursor is then. */
export function completeMention(
  text: string,
  { start, query }: TypedMention,
  { name }: Mentionable,
): { text: string; caret: number } {
  const rest = text.slice(start + 1 + query.length);
  const before = `${text.slice(0, start)}@${name} `;
  return { text: before + rest.replace(/^ /, ''), caret: before.length };
}

/** The colleagues that a text mentions by their whole names. A name inside of a longer one is not mentioned. */
export function mentionsIn(text: string, members: readonly Mentionable[]): string[] {
  const byLength = members.toSorted((one, other) => other.name.length - one.name.length);
  let rest = text;
  const found = byLength.filter(({ name }) => {
    const pieces = rest.split(`@${name}`);
    // Blanked, so that "@Mara Lane" does not mention "Mara" as well.
    rest = pieces.join(' ');
    return pieces.length > 1;
  });
  return members.filter((member) => found.includes(member)).map(({ userId }) => userId);
}
