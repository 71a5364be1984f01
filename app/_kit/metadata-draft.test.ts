import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MetadataEntry, toMetadataEntries, withKind } from './metadata-draft';
import { metadataEntries } from './metadata-schema';

const added = (entry: Partial<MetadataEntry>): MetadataEntry => ({ name: '', kind: 'text', text: '', isStored: false, ...entry });

/** Validation messages, by path. */
function reasons(entries: MetadataEntry[]): Record<string, string> {
  const { error } = metadataEntries.safeParse(entries);
  return Object.fromEntries(error?.issues.map((issue) => [issue.path.join('.'), issue.message]) ?? []);
}

describe('metadata as rows', () => {
  it('brings back any JSON object unchanged', () => {
    // JSON itself turns -0 into 0, and the API refuses this one name.
    const json = fc
      .dictionary(
        fc.string().filter((name) => name !== '__proto__'),
        fc.jsonValue({ maxDepth: 3 }),
        { maxKeys: 8 },
      )
      .map((object) => JSON.parse(JSON.stringify(object)) as Record<string, unknown>);
    fc.assert(
      fc.property(json, (object) => {
        fc.pre(
          Object.values(object).every(
            (value) => typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value),
          ),
        );
        expect(metadataEntries.parse(toMetadataEntries(object))).toEqual(object);
      }),
    );
  });

  it('shows rows by name', () => {
    expect(toMetadataEntries({ b10: 1, b9: 2, A: 3 }).map((entry) => entry.name)).toEqual(['A', 'b9', 'b10']);
  });

  it('drops rows that were added and left blank', () => {
    expect(metadataEntries.parse([added({}), added({ name: ' crmId ', text: 'Q-1' })])).toEqual({ crmId: 'Q-1' });
  });

  it('refuses names that are missing, repeated or reserved', () => {
    expect(
      reasons([added({ text: 'x' }), added({ name: 'a' }), added({ name: 'a ' }), added({ name: '__proto__', text: 'x' })]),
    ).toEqual({ '0.name': 'must not be empty', '2.name': 'is used more than once', '3.name': 'is a reserved name' });
  });

  it.each(['', 'twelve', '1,5', '0x10', '01', 'NaN', '1e999', '9007199254740993'])('refuses the number %j', (text) => {
    expect(reasons([added({ name: 'n', kind: 'number', text })])).toHaveProperty(['0.text']);
  });

  it.each(['{', "{'a': 1}", 'undefined', ''])('refuses the JSON %j', (text) => {
    expect(reasons([added({ name: 'n', kind: 'json', text })])).toHaveProperty(['0.text']);
  });
});

describe('withKind', () => {
  it('keeps what the other type can hold', () => {
    const text = added({ name: 'n', text: '12' });
    expect(withKind(text, 'number').text).toBe('12');
    expect(withKind(text, 'json').text).toBe('"12"');
    expect(withKind({ ...text, text: 'true' }, 'boolean').text).toBe('true');
    expect(withKind({ ...text, kind: 'json', text: '"plain"' }, 'text').text).toBe('plain');
    expect(withKind(text, 'empty').text).toBe('');
  });
});
