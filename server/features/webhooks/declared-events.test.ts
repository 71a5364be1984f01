import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { EventRecord } from '@/server/features/events/event.schema';
import { exampleOf } from '@/server/features/events/event-kind.schema';
import { operations } from '@/server/registry';
import { withProvableDomains } from '@/server/testing/addresses';
import { callAs } from '@/server/testing/caller';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { eventsExcept } from '@/server/testing/events';
import { type Own, ownInputs } from '@/server/testing/examples';
import { createOwn } from '@/server/testing/operations';
import { eventTypes, kindOf } from './event-types.service';

/** Every operation that changes something says which events it writes, and writes those. Generated from the registry. */

withFreshDatabase({ PUBLIC_URL: 'http://desk.example.com' });
const dns = withProvableDomains();

const mutations = [...operations].filter(([, { type }]) => type === 'mutation');

/** The keys, secrets, tokens, codes and passwords in an answer. */
function secretsIn(answer: unknown): string[] {
  if (typeof answer !== 'object' || answer === null) return [];
  return Object.entries(answer).flatMap(([name, value]) => {
    if (typeof value !== 'string') return secretsIn(value);
    return /^(?:key|secret|token|code|password)$/i.test(name) && value.length > 3 ? [value] : [];
  });
}

/** Tokens of keys, secrets of webhooks, and links that are credentials. */
const secretForms = /whsec_|\/rsvp\/|\/api\/calendar\/|\$argon2/;

/** What a schema would read differently; a field that it does not know would be missing. */
function expectExactly(schema: z.ZodType, value: unknown): void {
  expect(schema.parse(value)).toStrictEqual(value);
}

/** What others do with a record, and its revision leaves out (docs/adr/0034). */
const byOthers = new Set(['calendar.invitee.responded']);

function expectWellFormed({ type, object, data }: EventRecord): void {
  const kind = kindOf(type);
  if (!kind) throw new Error(`There are no events ${type}.`);
  expect(object.type).toBe(kind.object);
  expect(Object.keys(kind.types)).toContain(type);
  if ('truncated' in data) return;
  expectExactly(kind.schema, data.object);
  const fields = kind.schema instanceof z.ZodObject ? kind.schema.shape : {};
  // Null stands for a field that was not there.
  for (const [name, value] of Object.entries(data.previousAttributes ?? {})) expectExactly(z.nullable(fields[name]), value);
  if (fields.revision && data.previousAttributes && !byOthers.has(type))
    expect(Object.keys(data.previousAttributes)).toContain('revision');
}

async function call(name: string, own: Own, input: object): Promise<{ answer: unknown; requestId: string }> {
  const requestId = randomUUID();
  return { answer: await callAs(own.actor, name, input, requestId), requestId };
}

test('there is something to check', () => {
  expect(mutations.length).toBeGreaterThan(40);
});

test('the example of each kind is what its events have', () => {
  for (const kind of new Set(eventTypes().map(kindOf))) if (kind) expectExactly(kind.schema, exampleOf(kind));
});

describe.each(mutations)('%s', (name, { access, meta: { events: declared, rest } }) => {
  test('says which events it writes', () => {
    expect(declared).toBeDefined();
    for (const type of declared ?? []) expect(eventTypes()).toContain(type);
  });

  // Files come only over HTTP; an upload is no event until it is sent.
  if (!declared || rest?.upload || (access !== 'identity' && access !== 'dashboard')) return;

  test('writes them and no others, with all of the object and none of its secrets', async () => {
    const own = await createOwn(dns);
    const inputs = await ownInputs(name, own);
    const known = (await queryAsOwner<{ id: string }>('SELECT id FROM event_log', [])).map(({ id }) => id);
    // An operation may write into the log of another identity.
    const written = () => eventsExcept(known);
    const secrets = [own.key, own.owner.password];
    const requestIds = new Set<string | null>();
    for (const input of inputs) {
      const { answer, requestId } = await call(name, own, input);
      requestIds.add(requestId);
      secrets.push(...secretsIn(answer), ...secretsIn(input));
    }
    const types = async () => (await written()).map(({ type }) => type);
    // What is counted, for example, writes its events a moment later.
    if (declared.length > 0) await expect.poll(types).not.toEqual([]);
    expect(declared).toEqual(expect.arrayContaining(await types()));
    for (const event of await written()) {
      expectWellFormed(event);
      const text = JSON.stringify(event);
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
      expect(text).not.toMatch(secretForms);
      if (event.actor.type === 'user') expect(requestIds).toContain(event.requestId);
    }
  });
});
