import { type FieldPath, type FieldValues, get, set } from 'react-hook-form';
import { isSame } from './is-same';

/** The unsaved parts of a form: only those that differ from the record, which may be changed elsewhere in the meantime. */
export interface FormDraft {
  /** The record's `revision`, as far as the form knew; 0 for a new one, or if that is not known. */
  version: number;
  /** The record's values of these parts. */
  base: Record<string, unknown>;
  typed: Record<string, unknown>;
  /** When it was last typed into, ISO 8601. */
  at: string;
}

interface Typed<Values extends FieldValues> {
  parts: readonly FieldPath<Values>[];
  /** The values the form was filled with. */
  base: Values;
  typed: Values;
  version: number;
  /** Paths that are never stored, such as passwords. */
  secrets?: readonly FieldPath<Values>[];
  /** Stores all parts as soon as one differs: for a record that does not exist yet. */
  isNew?: boolean;
}

function withoutSecrets<Values extends FieldValues>(values: Values, secrets: readonly FieldPath<Values>[] = []): Values {
  if (secrets.length === 0) return values;
  const copy = structuredClone(values);
  for (const path of secrets) set(copy, path, '');
  return copy;
}

/**
 * The draft of the current input; null if it does not differ from the record.
 *
 * @param earlier an offered draft that is not restored or discarded yet: new input is added to it
 */
export function draftOf<Values extends FieldValues>(
  { parts, base, typed, version, secrets, isNew = false }: Typed<Values>,
  earlier: FormDraft | null,
  now: Date,
): FormDraft | null {
  const [before, after] = [withoutSecrets(base, secrets), withoutSecrets(typed, secrets)];
  const changed = parts.filter((part) => !isSame(get(before, part), get(after, part)));
  if (changed.length === 0) return earlier;
  // Two new records can't be merged: the offered one stays until it is restored or discarded.
  if (isNew && earlier) return earlier;
  const kept = isNew ? parts : changed;
  const pick = (values: Values) => Object.fromEntries(kept.map((part) => [part, get(values, part)]));
  return {
    version: earlier?.version ?? version,
    base: { ...earlier?.base, ...pick(before) },
    typed: { ...earlier?.typed, ...pick(after) },
    at: now.toISOString(),
  };
}

/** Parses a stored draft, without parts that the form no longer has or whose type has changed; null if nothing is left. */
export function readFormDraft<Values extends FieldValues>(
  stored: unknown,
  parts: readonly FieldPath<Values>[],
  current: Values,
): FormDraft | null {
  const { version, base, typed, at } = (stored ?? {}) as Partial<Record<keyof FormDraft, unknown>>;
  if (!isRecord(base) || !isRecord(typed) || typeof at !== 'string') return null;
  const known = parts.filter((part) => part in typed && isAlike(typed[part], get(current, part)));
  const pick = (from: Record<string, unknown>) =>
    Object.fromEntries(known.filter((part) => part in from).map((part) => [part, from[part]]));
  if (known.every((part) => isSame(typed[part], get(current, part)))) return null;
  return { version: typeof version === 'number' ? version : 0, base: pick(base), typed: pick(typed), at };
}

/** The value of a restored part: with the secrets that the form holds now. */
export function restoredPart<Values extends FieldValues>(
  part: FieldPath<Values>,
  draft: FormDraft,
  current: Values,
  secrets: readonly FieldPath<Values>[] = [],
): unknown {
  const holder = {} as Values;
  set(holder, part, structuredClone(draft.typed[part]));
  for (const path of secrets) if (path.startsWith(`${part}.`)) set(holder, path, get(current, path));
  return get(holder, part);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const kindOf = (value: unknown) => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);

/** Another version of the form may have stored something else under this name. */
function isAlike(kept: unknown, current: unknown): boolean {
  if (isRecord(kept) && isRecord(current)) return Object.keys(current).every((key) => key in kept);
  return current === undefined || current === null || kept === null || kindOf(kept) === kindOf(current);
}
