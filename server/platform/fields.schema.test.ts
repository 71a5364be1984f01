import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { cpuTimeOf } from '@/server/testing/cpu-time';
import { base64, characterCount, emailAddress, paging, requiredText, text, uuid } from './fields.schema';

function problem(schema: z.ZodType, value: unknown): string | undefined {
  return schema.safeParse(value).error?.issues[0]?.message;
}

describe('an e-mail address', () => {
  test.each([
    'ann@quark.io',
    "o'brien+crm@mail.quark.co.uk",
    'x@a-b.example',
    '1@2.museum',
    `${'a'.repeat(64)}@quark.io`,
    'a.b_c=d@xn--mnchen-3ya.example',
  ])('%s is one', (email) => {
    expect(emailAddress.parse(email)).toBe(email);
  });

  test.each([
    '',
    ' ',
    'ann',
    'ann@',
    '@quark.io',
    'ann@quark',
    'ann@localhost',
    'ann@@quark.io',
    'ann@quark..io',
    'ann@.quark.io',
    'ann@quark.io.',
    'ann@-quark.io',
    'ann@quark-.io',
    'ann quark@quark.io',
    'Ann <ann@quark.io>',
    'ann@quark.io,bob@quark.io',
    'ann@quark.io\nbcc: all@quark.io',
    'änn@quark.io',
    'ann@qüark.io',
    `${'a'.repeat(65)}@quark.io`,
    `ann@${'a'.repeat(64)}.io`,
    `ann@${`${'a'.repeat(60)}.`.repeat(5)}io`,
    'mailto:ann@quark.io',
  ])('%j is none', (email) => {
    expect(problem(emailAddress, email)).toMatch(/^must /);
  });

  test('is stored trimmed and in lower case', () => {
    expect(emailAddress.parse('  Ann@Quark.IO\t')).toBe('ann@quark.io');
  });

  test('is judged in no time, however it is written', async () => {
    const hostile = ['a@'.repeat(400_000), `a@${'a-'.repeat(400_000)}`, `a@${'a.'.repeat(400_000)}!`, ' '.repeat(900_000)];
    const took = await cpuTimeOf(() => {
      for (const email of hostile) expect(emailAddress.safeParse(email).success).toBe(false);
    });
    expect(took).toBeLessThan(2_000);
  });

  test('parsing it again changes nothing', () => {
    fc.assert(
      fc.property(fc.emailAddress({ size: 'small' }), (email) => {
        const parsed = emailAddress.safeParse(email);
        if (parsed.success) expect(emailAddress.parse(parsed.data)).toBe(parsed.data);
      }),
    );
  });
});

describe('a text', () => {
  test('is as long as people count, in code points', () => {
    expect(text(3).safeParse('😀😀😀').success).toBe(true);
    expect(problem(text(3), '😀😀😀😀')).toBe('must have at most 3 characters');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), fc.nat({ max: 30 }), (value, maximum) => {
        expect(text(maximum).safeParse(value).success).toBe([...value].length <= maximum);
        expect(characterCount(value)).toBe([...value].length);
      }),
    );
  });

  test('that is required has more in it than white space, and is kept as written', () => {
    for (const blank of ['', ' ', '\n\t', '\u00a0']) expect(problem(requiredText(9), blank)).toBe('must not be empty');
    expect(requiredText(9).parse(' a ')).toBe(' a ');
  });
});

test('a UUID may have any version and case, but no other notation', () => {
  const value = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';
  for (const good of [
    value,
    value.toUpperCase(),
    '00000000-0000-0000-0000-000000000000',
    '53ec99fd-3ebc-50ed-a4e2-ea9fc9da7adb',
  ]) {
    expect(uuid.parse(good)).toBe(good);
  }
  for (const bad of [
    '',
    '1',
    value.replaceAll('-', ''),
    `{${value}}`,
    `urn:uuid:${value}`,
    ` ${value}`,
    `${value}\n`,
    `${value}0`,
  ]) {
    expect(problem(uuid, bad)).toBe('must be a UUID');
  }
});

describe('paging', () => {
  const schema = z.object(paging({ defaultLimit: 50, maximumLimit: 100 }));

  test('has defaults', () => {
    expect(schema.parse({})).toEqual({ limit: 50, offset: 0 });
  });

  test.each([0, -1, 101, 1.5, Number.NaN, '5', null])('a limit of %j is refused, never clamped', (limit) => {
    expect(schema.safeParse({ limit }).success).toBe(false);
  });

  test.each([-1, 0.5, 2_147_483_648, '0', null])('an offset of %j is refused', (offset) => {
    expect(schema.safeParse({ offset }).success).toBe(false);
  });
});

describe('messages read well after the name of the field', () => {
  const schema = z.object({
    name: z.string().min(2),
    tags: z.array(z.string()).min(1).max(2),
    count: z.int().min(1).max(9),
    on: z.boolean(),
    kind: z.enum(['a', 'b']),
    data: z.record(z.string(), z.unknown()),
  });

  test.each([
    ['name', undefined, 'is required'],
    ['name', null, 'must be a string'],
    ['name', 5, 'must be a string'],
    ['name', 'x', 'must have at least 2 characters'],
    ['tags', 'x', 'must be an array'],
    ['tags', [], 'must have at least one item'],
    ['tags', ['a', 'b', 'c'], 'must have at most 2 items'],
    ['count', '5', 'must be a number'],
    ['count', 1.5, 'must be a whole number'],
    ['count', 0, 'must be at least 1'],
    ['count', 10, 'must be at most 9'],
    ['on', 'false', 'must be true or false'],
    ['kind', undefined, 'is required'],
    ['kind', 'c', 'must be one of: a, b'],
    ['data', [], 'must be an object'],
    ['data', null, 'must be an object'],
  ])('%s as %j: %s', (field, value, message) => {
    const good = { name: 'xx', tags: ['a'], count: 5, on: true, kind: 'a', data: {} };
    expect(problem(schema, { ...good, [field]: value })).toBe(message);
  });
});

describe('base64', () => {
  const schema = base64('A file.');

  test('is accepted with any padding, and by the megabyte', () => {
    for (const bytes of [1, 2, 3, 20_000_000])
      expect(schema.safeParse(Buffer.alloc(bytes, 'x').toString('base64')).success).toBe(true);
  });

  test.each(['', 'A', 'AAA', '====', 'A===', 'AA=A', 'AAA=AAAA', 'AA-_', 'AAAA\n', 'AAA\n', 'AAÄA'])('is not %j', (value) => {
    expect(schema.safeParse(value).success).toBe(false);
  });
});
