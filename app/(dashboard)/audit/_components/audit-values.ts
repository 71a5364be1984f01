import { isSame } from '@/app/_kit/is-same';
import { isUuid } from '@/app/_kit/uuid';
import type { AuditChange, AuditEntry } from '@/server/features/audit/audit.schema';
import { fieldName } from './audit-labels';

type Value = AuditChange['before'];

/** A value prepared for display. */
export type ReadValue =
  | { kind: 'empty' }
  /** `isCode` for ids; `isCut` if the log stored only the beginning. */
  | { kind: 'text'; text: string; isCode: boolean; isCut: boolean }
  | { kind: 'time'; time: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'json'; text: string };

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)$/;

/** Fields whose values are identifiers with underscores. */
const identifierFields = new Set([
  'status',
  'state',
  'response',
  'recurrence',
  'kind',
  'direction',
  'plan',
  'scope',
  'reason',
  'channel',
]);

/** Characters of a long text that the log stores (`audited_value` in the migration). */
const keptCharacters = 1000;

const isObject = (value: Value): value is Record<string, Value> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isEmpty(value: Value): boolean {
  if (value === null || value === '') return true;
  return Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
}

/** A list item that fits in a line; null for larger values. */
function inLine(value: Value): string | null {
  if (value === null || typeof value !== 'object') return String(value ?? '—');
  if (!isObject(value) || typeof value.email !== 'string') return null;
  const { displayName } = value;
  return typeof displayName === 'string' && displayName !== '' ? `${displayName} <${value.email}>` : value.email;
}

/** Prepares a field's value for display. */
export function readValue(value: Value, field: string): ReadValue {
  if (isEmpty(value)) return { kind: 'empty' };
  if (typeof value === 'boolean') return text(value ? 'Yes' : 'No');
  if (typeof value === 'number') return text(String(value));
  if (typeof value === 'string') {
    if (instant.test(value)) return { kind: 'time', time: new Date(value).toISOString() };
    const words = identifierFields.has(field) ? value.replaceAll('_', ' ') : value;
    return { ...text(words), isCode: isUuid(value), isCut: value.length > keptCharacters && value.endsWith('…') };
  }
  const items = Array.isArray(value) ? value.map(inLine) : [null];
  if (items.every((item) => item !== null)) return { kind: 'list', items };
  return { kind: 'json', text: JSON.stringify(value, null, 2) };
}

const text = (words: string) => ({ kind: 'text', text: words, isCode: false, isCut: false }) as const;

/** A changed field, as a row of the table. */
export interface ChangeRow {
  key: string;
  /** "company"; "persona › tone" for a part of an object. */
  name: string;
  before: ReadValue;
  after: ReadValue;
}

/** The rows of an entry. Each part of an object gets a row, if it changed. */
export function changeRows({ changes }: Pick<AuditEntry, 'changes'>): ChangeRow[] {
  return changes.flatMap(({ field, before, after }) => {
    const [old, now] = [isEmpty(before) ? {} : before, isEmpty(after) ? {} : after];
    const isNested = (isObject(before) || isObject(after)) && isObject(old) && isObject(now);
    if (!isNested) return [row(field, fieldName(field), field, before, after)];
    const parts = [...new Set([...Object.keys(old), ...Object.keys(now)])];
    return parts
      .filter((part) => !isSame(old[part], now[part]) && !(isEmpty(old[part] ?? null) && isEmpty(now[part] ?? null)))
      .map((part) =>
        row(`${field}.${part}`, `${fieldName(field)} › ${fieldName(part)}`, part, old[part] ?? null, now[part] ?? null),
      );
  });
}

function row(key: string, name: string, field: string, before: Value, after: Value): ChangeRow {
  return { key, name, before: readValue(before, field), after: readValue(after, field) };
}

/** The moment of an entry as a range: all entries of one transaction have the same. */
export function momentOf({ occurredAt }: Pick<AuditEntry, 'occurredAt'>): { from: string; to: string } {
  return { from: occurredAt, to: new Date(Date.parse(occurredAt) + 1).toISOString() };
}

/** The parts created with a record, from its history, first to last. */
export function partsOf(entry: AuditEntry, history: readonly AuditEntry[]): AuditEntry[] {
  return history
    .filter(
      ({ id, parentId, action, occurredAt }) =>
        id !== entry.id && parentId === entry.resourceId && action === 'created' && occurredAt === entry.occurredAt,
    )
    .toReversed();
}
