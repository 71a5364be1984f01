/** Texts with variables, such as `Hello {{customer.firstName|there}}`. */

/** Snippets of one business at most. */
export const snippetsMaximum = 200;

export const snippetVariables = [
  'customer.name',
  'customer.firstName',
  'customer.email',
  'customer.company',
  'business.name',
  'sender.name',
] as const;

export type SnippetVariable = (typeof snippetVariables)[number];

export type SnippetValues = Record<SnippetVariable, string | null>;

/** A variable in a text: its name, and after a bar what is written where it has no value. */
const variable = /\{\{\s*([^{}|]*?)\s*(?:\|([^{}]*))?\}\}/g;

const isKnown = (name: string): name is SnippetVariable => (snippetVariables as readonly string[]).includes(name);

/** What is wrong with the variables of a text; null if nothing is. */
export function snippetProblem(text: string): string | null {
  for (const [, name = ''] of text.matchAll(variable)) {
    if (!isKnown(name)) return `has the unknown variable {{${name}}}; it can have ${snippetVariables.join(', ')}`;
  }
  return /\{\{|\}\}/.test(text.replaceAll(variable, '')) ? 'has {{ without }}, or the other way round' : null;
}

/** A text with values for its variables. `missing`: those that have neither a value nor a text in its place; nothing is written there. */
export function fillSnippet(text: string, values: SnippetValues): { text: string; missing: SnippetVariable[] } {
  const missing = new Set<SnippetVariable>();
  const filled = text.replaceAll(variable, (whole, name: string, instead?: string) => {
    if (!isKnown(name)) return whole;
    const value = values[name]?.trim() || instead?.trim();
    if (!value) missing.add(name);
    return value ?? '';
  });
  return { text: filled, missing: [...missing] };
}

/** A text on one line, with what is written in place of its variables; for lists. */
export function snippetPreview(text: string): string {
  return text
    .replaceAll(variable, (_, _name: string, instead?: string) => instead?.trim() || '…')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
