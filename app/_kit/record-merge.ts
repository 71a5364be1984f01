import { type FieldPath, type FieldValues, get, set } from 'react-hook-form';
import { errorFacts } from './error-facts';

/** A record as a form holds it, and when it was last changed; null where it never was. */
export interface StoredRecord<Values> {
  values: Values;
  version: string | null;
}

export const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

interface Merge<Part> {
  /** What I changed and still has to be saved. */
  mine: Set<Part>;
  /** What both changed, each to something else. */
  conflicts: Part[];
}

/** Compares my changes of a record with those made elsewhere meanwhile, part by part. */
export function mergeParts<Values extends FieldValues>(
  parts: readonly FieldPath<Values>[],
  { base, mine, theirs }: { base: Values; mine: Values; theirs: Values },
): Merge<FieldPath<Values>> {
  const unlike = (one: Values, other: Values) => parts.filter((part) => !isSame(get(one, part), get(other, part)));
  const changedByMe = new Set(unlike(mine, base));
  const changedByThem = new Set(unlike(theirs, base));
  const unsaved = unlike(mine, theirs).filter((part) => changedByMe.has(part));
  return { mine: new Set(unsaved), conflicts: unsaved.filter((part) => changedByThem.has(part)) };
}

/** `values` with the given parts of another record. */
function withParts<Values extends FieldValues>(values: Values, parts: Iterable<FieldPath<Values>>, from: Values): Values {
  const merged = structuredClone(values);
  for (const part of parts) set(merged, part, structuredClone(get(from, part)));
  return merged;
}

interface RecordSave<Values extends FieldValues> {
  parts: readonly FieldPath<Values>[];
  /** The record as the form was filled with it. */
  base: StoredRecord<Values>;
  /** The form's values. */
  typed: Values;
  /**
   * Stores `changed`, on the condition that the record is still the one of `version`; fails with `precondition_failed` where it is not.
   * Null where the person decided against it.
   */
  save: (values: Values, changed: ReadonlySet<FieldPath<Values>>, version: string | null) => Promise<StoredRecord<Values> | null>;
  fetchNewest: () => Promise<StoredRecord<Values>>;
  /** Every change elsewhere is a conflict, also one of other parts. */
  asksAlways?: boolean;
}

type SaveOutcome<Values extends FieldValues> =
  | { kind: 'saved'; stored: StoredRecord<Values> }
  | { kind: 'cancelled' }
  | { kind: 'conflict'; newest: StoredRecord<Values>; parts: FieldPath<Values>[] };

/** How often a save may be overtaken before that is a failure. */
const attempts = 5;

/**
 * Saves what was changed of a record that others may have changed meanwhile: what only one side changed is kept from both, without a
 * word; of what both changed nothing is saved, as that has to be decided first.
 *
 * @throws what `save` and `fetchNewest` throw; nothing was stored then
 */
export async function saveRecord<Values extends FieldValues>(given: RecordSave<Values>): Promise<SaveOutcome<Values>> {
  const { parts, save, fetchNewest } = given;
  let { base, typed } = given;
  for (let attempt = 1; ; attempt++) {
    const { mine } = mergeParts(parts, { base: base.values, mine: typed, theirs: base.values });
    try {
      const stored = await save(typed, mine, base.version);
      return stored ? { kind: 'saved', stored } : { kind: 'cancelled' };
    } catch (error) {
      if (errorFacts(error).code !== 'precondition_failed' || attempt === attempts) throw error;
    }
    const newest = await fetchNewest();
    const merged = mergeParts(parts, { base: base.values, mine: typed, theirs: newest.values });
    if (given.asksAlways || merged.conflicts.length > 0) return { kind: 'conflict', newest, parts: merged.conflicts };
    if (merged.mine.size === 0) return { kind: 'saved', stored: newest };
    const others = parts.filter((part) => !merged.mine.has(part));
    typed = withParts(typed, others, newest.values);
    base = newest;
  }
}

const longestShown = 120;

/** A value of a form in a few words: what it is called where it has a name. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') {
    const text = value.trim();
    if (text === '') return 'empty';
    return `“${text.length > longestShown ? `${text.slice(0, longestShown).trimEnd()}…` : text}”`;
  }
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(describeMember).join(', ');
  return value === null || value === undefined ? 'empty' : String(value);
}

function describeMember(member: unknown): string {
  if (typeof member !== 'object' || member === null) return String(member);
  const { name, text, label, level } = member as Record<string, unknown>;
  if (typeof text === 'string') return `${String(name)}: ${text}`;
  return String(name || label || (level === undefined ? 'without a name' : `level ${String(level)}`));
}
