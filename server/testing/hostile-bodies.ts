import fc from 'fast-check';

/** Malformed and hostile bodies, derived from valid ones. */

const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

/** Replacements for any value. */
const wildValues: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -0, -1, 0.1, 1e21, 2 ** 31, 2 ** 53, -(2 ** 63), [], {}, [null], [[]], [{}], {
    length: 5,
  }),
  fc.constantFrom(
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'null',
    '-1',
    'NaN',
    '1e400',
    '%00',
    '../..',
    '{{7*7}}',
    '\u202e',
    '\r\nX-Evil: 1',
  ),
  fc.constantFrom(
    "'; DROP TABLE users; --",
    '<script>alert(1)</script>',
    '$\u007bjndi:ldap://x}',
    '__proto__',
    'constructor',
    'toString',
  ),
  fc.constantFrom(
    '2026-02-30T00:00:00Z',
    '0000-00-00',
    '99999-01-01T00:00:00Z',
    '2026-11-24T25:00:00Z',
    '+275760-09-13T00:00:00Z',
  ),
  fc.constantFrom('😀'.repeat(3000), 'a'.repeat(300_000), 'x@'.repeat(500), `${'a'.repeat(64)}@${'b'.repeat(300)}.example`),
  fc.constantFrom<unknown>(
    Array(5000).fill('a'),
    Array(500).fill({}),
    Object.fromEntries(Array.from({ length: 2000 }, (_, i) => [i, i])),
  ),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.jsonValue({ maxDepth: 3 }),
);

const wildKeys = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'identityId',
  'id',
  '',
  ' ',
  '\0',
  '\ud800',
  'a.b',
  '0',
  'toJSON',
  'then',
);

type ValuePath = readonly (string | number)[];

/** Paths to every value within a JSON value, its root first. */
function pathsIn(value: unknown, here: ValuePath = []): ValuePath[] {
  if (typeof value !== 'object' || value === null) return [here];
  return [here, ...Object.entries(value).flatMap(([key, child]) => pathsIn(child, [...here, key]))];
}

/** A copy with another value at one path; undefined removes it. */
function replaced(value: unknown, [key, ...rest]: ValuePath, by: unknown): unknown {
  if (key === undefined) return by;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...(value as object) };
  const next = replaced((value as Record<string, unknown> | null)?.[key], rest, by);
  // Not by assignment, which would set the prototype for `__proto__`.
  Object.defineProperty(copy, key, { value: next, enumerable: true, configurable: true, writable: true });
  return copy;
}

/** Changes one value of the body: removes it, replaces it, or adds a key to it. */
export function mutated(body: unknown): fc.Arbitrary<unknown> {
  const place = fc.constantFrom(...pathsIn(body));
  const added = fc.tuple(place, wildKeys).map(([at, key]): ValuePath => [...at, key]);
  return fc.oneof(
    { weight: 3, arbitrary: fc.tuple(place, wildValues).map(([at, by]) => replaced(body, at, by)) },
    place.map((at) => replaced(body, at, undefined)),
    fc.tuple(added, wildValues).map(([at, by]) => replaced(body, at, by)),
  );
}

/** Nearly valid JSON. */
export function malformed(text: string): fc.Arbitrary<string | Uint8Array> {
  return fc.oneof(
    fc.nat({ max: text.length }).map((length) => text.slice(0, length)),
    fc.constantFrom(
      '',
      ' ',
      '{',
      '[]',
      'null',
      '"x"',
      '5',
      'NaN',
      '{"a":1e400}',
      '{"a":12345678901234567890}',
      '{a:1}',
      "{'a':1}",
      '{"a":1,}',
    ),
    fc.constantFrom(`\ufeff${text}`, `${text}${text}`, `${text}//`, `[${text}]`, text.replaceAll('"', "'"), `${text}\0`),
    // A duplicate key: the last one counts.
    fc.constant(text.startsWith('{"') ? `${text.slice(0, -1)},${text.slice(1)}` : text),
    fc.constantFrom(deep(70), deep(20_000), '['.repeat(50_000), `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`),
    fc.constantFrom('{"a":"\\ud800"}', '{"a":"\\u0000"}', '{"\\u0000":1}', '{"a":"\\x00"}', '{"__proto__":{"a":1}}'),
    fc.constant(Buffer.from(text, 'utf16le')),
    fc.uint8Array({ maxLength: 60 }),
    fc.constantFrom(Buffer.from([0xff, 0xfe, 0x7b]), Buffer.from('{"a":"\xff"}', 'latin1'), Buffer.from([0x1f, 0x8b, 8, 0])),
  );
}

/** Rarely used: a large body costs as much as a hundred others. */
export const huge = fc.constantFrom(
  '{"a":"'.padEnd(1_200_000, 'x'),
  `{"a":"${'x'.repeat(6_000_000)}"}`,
  `[${'1,'.repeat(600_000)}1]`,
);
