import { type FieldPath, type FieldValues, get, set } from 'react-hook-form';
import { errorFacts } from './error-facts';
import { isSame } from './is-same';

/** A record as form values, and its `revision`; 0 for a new one. */
export interface StoredRecord<Values> {
  values: Values;
  version: number;
}

interface Merge<Part> {
  /** Parts that only I changed and that still have to be saved. */
  mine: Set<Part>;
  /** Parts that both sides changed, to different values. */
  conflicts: Part[];
}

/** Compares my changes of a record with those made elsewhere in the meantime, part by part. */
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
  /** The record that the form was filled with. */
  base: StoredRecord<Values>;
  /** The form's values. */
  typed: Values;
  /**
   * Stores `changed` if the record still has `version`; fails with `precondition_failed` otherwise. Returns null if the user
   * decided against it.
   */
  save: (values: Values, changed: ReadonlySet<FieldPath<Values>>, version: number) => Promise<StoredRecord<Values> | null>;
  fetchNewest: () => Promise<StoredRecord<Values>>;
  /** Treats every change elsewhere as a conflict, even one of other parts. */
  asksAlways?: boolean;
}

type SaveOutcome<Values extends FieldValues> =
  | { kind: 'saved'; stored: StoredRecord<Values> }
  | { kind: 'cancelled' }
  | { kind: 'conflict'; newest: StoredRecord<Values>; parts: FieldPath<Values>[] };

/** How often a save may be overtaken by other changes before it fails. */
const attempts = 5;

/**
 * Saves the changes of a record that others may have changed in the meantime. Parts that only one side changed are merged
 * silently; if both changed the same part, nothing is saved, since the user has to decide first.
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

/** A short description of a form value: its name if it has one. */
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
  return String(name || label || (level === undefined ? 'unnamed' : `step ${String(level)}`));
}
