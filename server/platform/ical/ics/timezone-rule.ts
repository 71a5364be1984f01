import type { Transition } from '../zones';

/** Fewer years could match a rule by chance; in this many, each such rule shows every date it can fall on. */
const minimumYears = 20;

const weekdays = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'];

/** Clock changes described by the same line; `rule` is null for a list of dates. */
export interface Observances {
  rule: string | null;
  transitions: Transition[];
}

/** `Map.groupBy`, which Node.js 20 lacks. */
export function grouped<Item, Key>(items: Item[], keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** The local time of a change by the clock in force before it (RFC 5545 3.6.5: the onset in terms of TZOFFSETFROM). */
export function localOnset({ at, before }: Transition): Date {
  return new Date(at + before);
}

function daysOfMonth(date: Date): number {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

/**
 * The BYDAY or BYMONTHDAY part for a yearly change on one weekday of a month: "the second", "the last", "the first from the
 * 24th".
 */
function dayRule(onsets: Date[], weekday: string): string | null {
  const nth = (date: Date) => Math.ceil(date.getUTCDate() / 7);
  const first = onsets[0];
  if (first === undefined) return null;
  if (onsets.every((onset) => nth(onset) === nth(first))) return `BYDAY=${nth(first)}${weekday}`;
  if (onsets.every((onset) => onset.getUTCDate() + 7 > daysOfMonth(onset))) return `BYDAY=-1${weekday}`;
  const days = [...new Set(onsets.map((onset) => onset.getUTCDate()))].sort((a, b) => a - b);
  const isOneWeek = days.length === 7 && Math.max(...days) - Math.min(...days) === 6;
  return isOneWeek ? `BYMONTHDAY=${days.join(',')};BYDAY=${weekday}` : null;
}

/** The key shared by changes that one yearly rule could describe. */
function kindOf(transition: Transition): string {
  const onset = localOnset(transition);
  const timeOfDay = onset.getTime() % 86_400_000;
  return [transition.before, transition.after, onset.getUTCMonth(), onset.getUTCDay(), timeOfDay].join(' ');
}

/** The latest changes of one kind as a rule, starting as early as it holds; null if they do not follow one to the last year. */
function latestRule(ofKind: Transition[], lastYear: number): Observances | null {
  let found: Observances | null = null;
  for (let count = 1; count <= ofKind.length; count++) {
    const transitions = ofKind.slice(-count);
    const onsets = transitions.map(localOnset);
    const first = onsets[0];
    if (first === undefined || first.getUTCFullYear() !== lastYear + 1 - count) break;
    if (count < minimumYears) continue;
    const days = dayRule(onsets, weekdays[first.getUTCDay()] ?? '');
    if (days === null) break;
    found = { rule: `FREQ=YEARLY;BYMONTH=${first.getUTCMonth() + 1};${days}`, transitions };
  }
  return found;
}

/**
 * Groups a zone's clock changes into unlimited yearly rules and lists of dates. A zone with irregular changes (lunar, or in
 * varying months) gets no rules: half of a pair would be worse than none.
 * @param transitions Complete from some year to the end of `lastYear`.
 */
export function observancesOf(transitions: Transition[], lastYear: number): Observances[] {
  const kinds = grouped(transitions, kindOf);
  const rules = [...kinds.values()].map((ofKind) => latestRule(ofKind, lastYear)).filter((rule) => rule !== null);
  const lastOnes = transitions.filter((transition) => localOnset(transition).getUTCFullYear() === lastYear);
  const ruled = new Set(rules.flatMap((rule) => rule.transitions));
  const isRuled = lastOnes.every((transition) => ruled.has(transition));
  const kept = isRuled ? rules : [];
  const listed = isRuled ? transitions.filter((transition) => !ruled.has(transition)) : transitions;
  const lists = grouped(listed, ({ before, after }) => `${before} ${after}`);
  return [...[...lists.values()].map((list) => ({ rule: null, transitions: list })), ...kept];
}
