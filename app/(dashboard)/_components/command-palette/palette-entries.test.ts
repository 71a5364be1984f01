import fc from 'fast-check';
import { Circle } from 'lucide-react';
import { expect, it } from 'vitest';
import { matchEntries, movedIndex, type PaletteEntry } from './palette-entries';
import { pageName, parseRecent, type RecentRecord, recentMaximum, withoutRecent, withRecent } from './recent-records';
import { recordKinds, recordOfPath } from './record-links';

const entry = (title: string, keywords = ''): PaletteEntry => ({ id: title, title, keywords, icon: Circle });
const entries = [entry('Customers'), entry('New customer', 'add create'), entry('Theme: dark', 'night'), entry('Über uns')];
const found = (query: string) => matchEntries(entries, query).map(({ title }) => title);

it('finds an entry by the beginnings of its words, the title before its keywords', () => {
  expect(found('cust')).toEqual(['Customers', 'New customer']);
  expect(found('cu ne')).toEqual(['New customer']);
  expect(found('add')).toEqual(['New customer']);
  expect(found('DARK theme')).toEqual(['Theme: dark']);
  expect(found('uber')).toEqual(['Über uns']);
  expect(found('ustomer')).toEqual([]);
});

it('finds nothing without a word', () => {
  expect(found('  ')).toEqual([]);
  expect(found('%')).toEqual([]);
});

it('finds each entry by any beginning of its title', () => {
  fc.assert(
    fc.property(fc.constantFrom(...entries), fc.nat(), ({ title }, length) => {
      const part = title.slice(0, 1 + (length % title.length));
      expect(found(part)).toContain(title);
    }),
  );
});

it('walks around the end and stays inside the list', () => {
  expect(movedIndex('ArrowDown', 4, 5)).toBe(0);
  expect(movedIndex('ArrowUp', 0, 5)).toBe(4);
  expect(movedIndex('End', 0, 5)).toBe(4);
  expect(movedIndex('Home', 3, 5)).toBe(0);
  expect(movedIndex('x', 3, 5)).toBeNull();
  fc.assert(
    fc.property(
      fc.constantFrom('ArrowDown', 'ArrowUp', 'PageDown', 'PageUp', 'Home', 'End'),
      fc.nat(50),
      fc.nat(50),
      (key, count, index) => {
        const moved = movedIndex(key, Math.min(index, Math.max(0, count - 1)), count);
        if (count === 0) expect(moved).toBeNull();
        else expect(moved).toSatisfy((next: number) => next >= 0 && next < count);
      },
    ),
  );
});

const record = (id: string, title = id): RecentRecord => ({ kind: 'customer', id, title });

it('keeps the latest records, each once and under its newest name', () => {
  expect(withRecent([record('a'), record('b', 'old')], record('b', 'new'))).toEqual([record('b', 'new'), record('a')]);
  const many = Array.from({ length: 20 }, (_, index) => record(String(index)));
  expect(many.reduce<RecentRecord[]>(withRecent, [])).toHaveLength(recentMaximum);
  expect(withoutRecent([record('a'), record('b')], 'a')).toEqual([record('b')]);
});

it('takes from the storage only what makes sense', () => {
  expect(parseRecent(JSON.stringify([record('a'), { kind: 'script', id: '1', title: 'x' }, null, 7]))).toEqual([record('a')]);
  expect(parseRecent('{')).toEqual([]);
  expect(parseRecent(null)).toEqual([]);
  fc.assert(fc.property(fc.json(), (text) => Array.isArray(parseRecent(text))));
});

it('knows which record a page is about, from the same addresses it links to', () => {
  const id = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';
  for (const kind of ['customer', 'conversation', 'agent', 'post'] as const) {
    expect(recordOfPath(recordKinds[kind].href(id))).toEqual({ kind, id });
  }
  expect(recordOfPath('/customers/new')).toBeNull();
  expect(recordOfPath('/')).toBeNull();
});

it('names a page as its title does', () => {
  expect(pageName('(3) An offer · Frontdesk')).toBe('An offer');
  expect(pageName('Quark Labs · Frontdesk')).toBe('Quark Labs');
});
