import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { describeValue, mergeParts, type StoredRecord, saveRecord } from './record-merge';

interface Card {
  company: string;
  tags: string[];
  profile: { about: string };
}

const parts = ['company', 'tags', 'profile.about'] as const;
const card = (changes: Partial<Card> = {}): Card => ({ company: 'Quark', tags: ['eu'], profile: { about: 'Us' }, ...changes });
const overtaken = Object.assign(new Error('overtaken'), { data: { code: 'precondition_failed' } });

/** A record on a server, which another user changes before each of the first saves arrives. */
function serverWith(others: Partial<Card>[]) {
  let stored: StoredRecord<Card> = { values: card(), version: 1 };
  let changes = 0;
  const put = (values: Card) => {
    stored = { values, version: 1 + ++changes };
    return stored;
  };
  const save = vi.fn(async (values: Card, changed: ReadonlySet<string>, version: number) => {
    const other = others.shift();
    if (other) put({ ...stored.values, ...other });
    if (version !== stored.version) throw overtaken;
    return put({
      company: changed.has('company') ? values.company : stored.values.company,
      tags: changed.has('tags') ? values.tags : stored.values.tags,
      profile: changed.has('profile.about') ? values.profile : stored.values.profile,
    });
  });
  const run = (typed: Card, asksAlways = false) =>
    saveRecord<Card>({
      parts,
      base: { values: card(), version: 1 },
      typed,
      save,
      fetchNewest: async () => stored,
      asksAlways,
    });
  return { run, save, stored: () => stored.values };
}

describe('saving a record', () => {
  it('sends what was changed, and the version it was changed from', async () => {
    const server = serverWith([]);
    expect(await server.run(card({ company: 'Mine' }))).toMatchObject({ kind: 'saved', stored: { version: 2 } });
    expect(server.save).toHaveBeenCalledExactlyOnceWith(card({ company: 'Mine' }), new Set(['company']), 1);
  });

  it('keeps what others changed in other parts, however often they are faster', async () => {
    const server = serverWith([{ tags: ['vip'] }, { profile: { about: 'Them' } }]);
    const outcome = await server.run(card({ company: 'Mine' }));
    const merged = { company: 'Mine', tags: ['vip'], profile: { about: 'Them' } };
    expect(outcome).toMatchObject({ kind: 'saved', stored: { values: merged } });
    expect(server.stored()).toEqual(merged);
  });

  it('saves nothing where the same part was changed, and says which', async () => {
    const server = serverWith([{ company: 'Theirs', tags: ['vip'] }]);
    const outcome = await server.run(card({ company: 'Mine', profile: { about: 'Mine' } }));
    expect(outcome).toMatchObject({ kind: 'conflict', parts: ['company'], newest: { version: 2 } });
    expect(server.stored()).toEqual(card({ company: 'Theirs', tags: ['vip'] }));
  });

  it('asks about any change elsewhere where the parts depend on each other', async () => {
    const server = serverWith([{ tags: ['vip'] }]);
    expect(await server.run(card({ company: 'Mine' }), true)).toMatchObject({ kind: 'conflict', newest: { version: 2 } });
    expect(server.stored().company).toBe('Quark');
  });

  it('stores nothing where the person decides against it', async () => {
    const base = { values: card(), version: 1 };
    const save = async () => null;
    const run = saveRecord<Card>({ parts, base, typed: card({ company: 'Mine' }), save, fetchNewest: async () => base });
    expect(await run).toEqual({ kind: 'cancelled' });
  });

  it('has nothing to do where others made the very same change', async () => {
    const server = serverWith([{ company: 'Same' }]);
    expect(await server.run(card({ company: 'Same' }))).toMatchObject({ kind: 'saved', stored: { version: 2 } });
    expect(server.save).toHaveBeenCalledOnce();
  });

  it('gives up where others are faster every time, and after any other failure', async () => {
    const busy = serverWith(Array.from({ length: 50 }, (_, index) => ({ tags: [String(index)] })));
    await expect(busy.run(card({ company: 'Mine' }))).rejects.toBe(overtaken);
    expect(busy.stored().company).toBe('Quark');
    const save = vi.fn().mockRejectedValue(new Error('down'));
    const base = { values: card(), version: 1 };
    const lost = saveRecord<Card>({ parts, base, typed: card({ company: 'x' }), save, fetchNewest: async () => base });
    await expect(lost).rejects.toThrow('down');
    expect(save).toHaveBeenCalledOnce();
  });
});

it('loses no side’s change of a part that the other left alone, whatever was changed', () => {
  const anyCard = fc.record({
    company: fc.constantFrom('Quark', 'A', 'B'),
    tags: fc.constantFrom<string[][]>(['eu'], [], ['vip']),
    profile: fc.record({ about: fc.constantFrom('Us', '', 'Them') }),
  });
  fc.assert(
    fc.property(anyCard, anyCard, anyCard, (base, mine, theirs) => {
      const merge = mergeParts<Card>(parts, { base, mine, theirs });
      const values = (of: Card) => ({ company: of.company, tags: of.tags.join(), 'profile.about': of.profile.about });
      for (const part of parts) {
        const [b, m, t] = [values(base)[part], values(mine)[part], values(theirs)[part]];
        expect(merge.mine.has(part)).toBe(m !== b && m !== t);
        expect(merge.conflicts.includes(part)).toBe(m !== b && t !== b && m !== t);
      }
    }),
  );
});

it('says a value in a few words', () => {
  expect(describeValue('Quark ')).toBe('“Quark”');
  expect(describeValue(' ')).toBe('empty');
  expect(describeValue('x'.repeat(500))).toHaveLength(123);
  expect([[], ['vip', 'eu']].map(describeValue)).toEqual(['none', 'vip, eu']);
  expect(describeValue([{ name: 'size', kind: 'number', text: '3', isStored: true }])).toBe('size: 3');
  expect(
    describeValue([
      { level: 1, label: 'Fleet lead' },
      { level: 2, label: '' },
      { name: 'Tune-up', price: 3 },
    ]),
  ).toBe('Fleet lead, step 2, Tune-up');
});
