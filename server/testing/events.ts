import { expect } from 'vitest';
import type { EventRecord } from '@/server/features/events/event.schema';
import { readEvents } from '@/server/features/events/event-log.service';
import { kindOf } from '@/server/features/webhooks/event-types.service';
import type { IdentityActor } from '@/server/platform/actor';
import { queryAsOwner } from './database';
import { within } from './patience';

/**
 * The committed events of an identity in the order of the log, including those that readers do not get yet: transactions of other
 * tests on the same PostgreSQL hold them back.
 */
export async function committedEvents({ identityId }: { identityId: string }): Promise<EventRecord[]> {
  return eventsWhere('identity_id = $1', identityId);
}

/** The committed events of all identities but those with these ids. */
export async function eventsExcept(known: readonly string[]): Promise<EventRecord[]> {
  return eventsWhere('id <> ALL ($1)', known);
}

function eventsWhere(condition: string, value: unknown): Promise<EventRecord[]> {
  return queryAsOwner<EventRecord>(
    `SELECT id, type, created_at AS "createdAt", json_build_object('type', object_type, 'id', object_id, 'version', object_version) AS object,
      data, json_build_object('type', actor_type, 'id', actor_id, 'name', actor_name) AS actor, request_id AS "requestId"
      FROM event_log WHERE ${condition} ORDER BY position, seq`,
    [value],
  );
}

/** An event of which the data is not left out for its size. */
export type WholeEvent = EventRecord & {
  data: { object: Record<string, unknown>; previousAttributes?: Record<string, unknown> };
};

/** The events that `work` writes. Each has exactly what the schema of its kind has, no more. */
export async function eventsOf(identity: { identityId: string }, work: () => Promise<unknown>): Promise<WholeEvent[]> {
  const known = new Set((await committedEvents(identity)).map(({ id }) => id));
  await work();
  const written = (await committedEvents(identity)).filter(({ id }) => !known.has(id)) as WholeEvent[];
  for (const { type, data } of written) {
    if ('object' in data) expect(kindOf(type)?.schema.parse(data.object), type).toEqual(data.object);
  }
  return written;
}

/** Follows the log of an identity as a client does. @returns a function that waits for the next `count` events */
export function followLog(actor: IdentityActor, from?: string): (count: number) => Promise<EventRecord[]> {
  let after = from;
  return async (count) => {
    const found: EventRecord[] = [];
    const until = performance.now() + within(5);
    while (found.length < count && performance.now() < until) {
      const page = await readEvents(actor, { after, limit: Math.min(100, count - found.length), wait: 5 });
      found.push(...page.events);
      after = page.nextCursor;
    }
    return found;
  };
}

/** Waits until readers get all events that are committed now. Transactions of other tests on the same PostgreSQL hold them back. */
export async function untilReadable(actor: IdentityActor): Promise<void> {
  const { length } = await committedEvents(actor);
  expect(await followLog(actor)(length)).toHaveLength(length);
}
