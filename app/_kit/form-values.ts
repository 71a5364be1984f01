/** Conversions between form values and inputs of procedures. */

/** An emptied text is removed instead of being stored empty. */
export const orNull = (text: string): string | null => (text.trim() === '' ? null : text);

/** A typed number; NaN for anything else, which the schema refuses. */
export const toNumber = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

/** A dotted path of an error as keys, for a schema's issue. */
export const toPath = (path: string): (string | number)[] =>
  path.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key));

/** The part of an input that was changed; its objects have only their changed fields, `profile.about` for example. */
export function onlyChanged<Input extends object>(input: Input, changed: ReadonlySet<string>): Partial<Input> {
  const entries = Object.entries(input).flatMap(([key, value]): [string, unknown][] => {
    if (changed.has(key)) return [[key, value]];
    const fields = Object.entries((value ?? {}) as object).filter(([field]) => changed.has(`${key}.${field}`));
    return fields.length > 0 ? [[key, Object.fromEntries(fields)]] : [];
  });
  return Object.fromEntries(entries) as Partial<Input>;
}
