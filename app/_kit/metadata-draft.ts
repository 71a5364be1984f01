/**
 * A free-form JSON object as editable rows: a name, a type and the value as text. Converting any object to rows and back yields
 * the same object.
 */

export const metadataKinds = [
  { value: 'text', label: 'Text' },
  { value: 'number', label: 'Number' },
  { value: 'boolean', label: 'Checkbox' },
  { value: 'empty', label: 'None' },
  { value: 'json', label: 'JSON' },
] as const;

export type MetadataKind = (typeof metadataKinds)[number]['value'];

export interface MetadataEntry {
  name: string;
  kind: MetadataKind;
  text: string;
  /** Distinguishes it from a new row, since an object from the API may have an empty name. */
  isStored: boolean;
}

function entryOf(name: string, value: unknown): MetadataEntry {
  const entry = (kind: MetadataKind, text: string) => ({ name, kind, text, isStored: true });
  if (typeof value === 'string') return entry('text', value);
  if (typeof value === 'number') return entry('number', String(value));
  if (typeof value === 'boolean') return entry('boolean', String(value));
  if (value === null) return entry('empty', '');
  return entry('json', JSON.stringify(value, null, 2));
}

const byName = new Intl.Collator('en', { numeric: true });

/** The rows of an object sorted by name, since the database keeps no order. */
export function toMetadataEntries(metadata: Record<string, unknown>): MetadataEntry[] {
  return Object.entries(metadata)
    .sort(([a], [b]) => byName.compare(a, b))
    .map(([name, value]) => entryOf(name, value));
}

type ParsedText = { value: unknown } | { reason: string };

/** Parses a JSON number. One with more digits than a number can hold would change its value, so it is refused. */
function parseNumber(text: string): ParsedText {
  const trimmed = text.trim();
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(trimmed)) return { reason: 'must be a number, such as 12 or 3.5' };
  const value = Number(trimmed);
  const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return isExact ? { value } : { reason: 'is too large to store exactly; use Text instead' };
}

/** Parses the value of a row; an error if it is invalid. */
export function parseEntry({ kind, text }: Pick<MetadataEntry, 'kind' | 'text'>): ParsedText {
  switch (kind) {
    case 'text':
      return { value: text };
    case 'number':
      return parseNumber(text);
    case 'boolean':
      return { value: text === 'true' };
    case 'empty':
      return { value: null };
    case 'json':
      try {
        return { value: JSON.parse(text) };
      } catch {
        return { reason: 'must be valid JSON, such as ["a", "b"] or {"size": 3}' };
      }
  }
}

/** The row with another type, keeping as much of the value as that type can hold. */
export function withKind(entry: MetadataEntry, kind: MetadataKind): MetadataEntry {
  if (kind === entry.kind) return entry;
  const parsed = parseEntry(entry);
  const value = 'value' in parsed ? parsed.value : entry.text;
  if (kind === 'boolean') return { ...entry, kind, text: String(value === true || value === 'true' || value === 1) };
  if (kind === 'empty') return { ...entry, kind, text: '' };
  if (kind === 'json') return { ...entry, kind, text: JSON.stringify(value, null, 2) };
  return { ...entry, kind, text: typeof value === 'string' ? value : entry.text };
}
