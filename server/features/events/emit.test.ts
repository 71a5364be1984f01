import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { withFreshDatabase } from '@/server/testing/database';
import { eventDataOf, maximumDataBytes } from './emit.service';
import { eventKind } from './event-kind.schema';

withFreshDatabase();

const schema = z.object({
  id: z.string(),
  text: z.string(),
  list: z.array(z.string()),
  secret: z.string(),
  updatedAt: z.string(),
});
type Thing = z.output<typeof schema>;

const kind = eventKind({
  object: 'thing',
  schema,
  path: (id) => `/things/${id}`,
  access: { scope: 'customers:read' },
  types: { 'thing.updated': 'A thing changed.' },
  mask: (thing) => ({ ...thing, secret: '•••' }),
});

/** As the contract says it, with all JSON that this takes. */
function plainDataOf(object: Thing, previous?: Thing): unknown {
  const masked = { ...object, secret: '•••' };
  const names = Object.keys(object) as (keyof Thing)[];
  const changed = previous && names.filter((name) => JSON.stringify(object[name]) !== JSON.stringify(previous[name]));
  if (changed?.every((name) => name === 'updatedAt')) return null;
  const before = changed && Object.fromEntries(changed.map((name) => [name, name === 'secret' ? '•••' : previous?.[name]]));
  const data = { object: masked, ...(before && { previousAttributes: before }) };
  if (Buffer.byteLength(JSON.stringify(data)) <= maximumDataBytes) return data;
  return { truncated: true, url: `http://localhost:3000/api/v1/things/${object.id}` };
}

/** Letters of one to four bytes, of six in JSON, half a letter, and texts on both sides of the limit. */
const text = fc
  .tuple(
    fc.constantFrom('x', 'ü', '字', '😀', '"', '\n', '\u0001', '\ud800'),
    fc.constantFrom(0, 1, 3_000, 10_100, 20_300, 20_481),
  )
  .map(([letter, count]) => letter.repeat(count));

const thing: fc.Arbitrary<Thing> = fc.record({
  id: fc.constant('one'),
  text,
  list: fc.array(text, { maxLength: 2 }),
  secret: text,
  updatedAt: fc.constantFrom('1', '2'),
});

const dataOf = (object: Thing, previous?: Thing): unknown => {
  const data = eventDataOf({ kind, type: 'thing.updated', id: object.id, object, previous } as never);
  return data === null ? null : JSON.parse(data);
};

test('what is too large is known without all of its JSON, and nothing else is', () => {
  fc.assert(
    fc.property(thing, thing, fc.boolean(), (object, other, isSame) => {
      const previous = isSame ? { ...object, updatedAt: other.updatedAt } : other;
      expect(dataOf(object)).toEqual(JSON.parse(JSON.stringify(plainDataOf(object))));
      expect(dataOf(object, previous)).toEqual(JSON.parse(JSON.stringify(plainDataOf(object, previous))));
    }),
    { numRuns: 300 },
  );
});

test('fields that GET does not answer stay out of the log, and the others are in its order', () => {
  const object = { updatedAt: '1', internal: 'x', secret: 's', list: [], text: 't', id: 'one' };
  expect(JSON.stringify(dataOf(object, { ...object, text: 'u', internal: 'y' } as Thing))).toBe(
    '{"object":{"id":"one","text":"t","list":[],"secret":"•••","updatedAt":"1"},"previousAttributes":{"text":"u"}}',
  );
  expect(dataOf(object, { ...object, internal: 'y' } as Thing)).toBeNull();
});
