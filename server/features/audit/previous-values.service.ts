import { isDeepStrictEqual } from 'node:util';
import { getAgent } from '@/server/features/agents/agent.service';
import { getBlogPost } from '@/server/features/blog/blog-post.service';
import { getEvent } from '@/server/features/calendar/event.service';
import { getCustomer } from '@/server/features/customers/customer.service';
import { findChanges } from '@/server/features/events/event-log.service';
import { getIdentity } from '@/server/features/identity/identity.service';
import type { SessionActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { notFound } from '@/server/platform/errors';
import type { PreviousValues, RestorableKind } from './previous-values.schema';

/**
 * The values before a change in the audit log, as the request needs them that restores them. They come from the event log, which has
 * records in full; the audit log cuts long texts.
 */

type Fields = Record<string, unknown>;
type Actor = SessionActor & { identityId: string };

interface Restorable {
  /** The record's type in the event log. */
  object: string;
  read: (actor: Actor, id: string) => Promise<Fields>;
  /** Where the values are in the record and in the request that changes it, by their path there. */
  values: (record: Fields) => [path: string[], value: unknown][];
  constant?: (record: Fields) => Fields;
}

const fieldsOf = (names: readonly string[]) => (record: Fields) =>
  names.map((name): [string[], unknown] => [[name], record[name]]);

const membersOf = (path: string, names: readonly string[], object: unknown) =>
  names.map((name): [string[], unknown] => [[path, name], (object as Fields | null | undefined)?.[name]]);

const kinds: Record<RestorableKind, Restorable> = {
  customer: {
    object: 'customer',
    read: async (actor, id) => ({ ...(await getCustomer(actor, id)) }),
    values: fieldsOf(['company', 'phone', 'tags', 'notes', 'metadata']),
  },
  event: {
    object: 'calendar.event',
    read: async (actor, id) => ({ ...(await getEvent(actor, id)).event }),
    values: fieldsOf([
      ...['title', 'description', 'location', 'startTime', 'endTime', 'timezone', 'allDay', 'recurrence', 'recurrenceEndDate'],
      ...['virtualMeeting', 'color', 'reminders', 'sendEmailReminders'],
    ]),
  },
  post: {
    object: 'blog.post',
    read: async (actor, id) => ({ ...(await getBlogPost(actor, id)).data.post }),
    values: fieldsOf([
      ...['title', 'slug', 'content', 'excerpt', 'tags', 'metaDescription', 'coverImageUrl', 'authorName', 'authorAvatarUrl'],
      'authorAgentId',
    ]),
    // A new title alone would make a new slug.
    constant: ({ slug }) => ({ slug }),
  },
  agent: {
    object: 'agent',
    read: async (actor, id) => ({ ...(await getAgent(actor, id)) }),
    values: (record) => [
      ...fieldsOf(['name', 'avatarUrl', 'tags'])(record),
      ...membersOf(
        'persona',
        ['tone', 'traits', 'bio', 'signature', 'avatarUrl', 'avatarEmoji'],
        (record.config as Fields | undefined)?.persona,
      ),
    ],
  },
  identity: {
    object: 'identity',
    read: async (actor) => ({ ...(await getIdentity(actor)) }),
    values: (record) => [
      ...fieldsOf(['displayName'])(record),
      ...membersOf('profile', ['tagline', 'about', 'website', 'services'], record.profile),
    ],
  },
};

interface Entry {
  resource: string;
  resourceId: string;
  occurredAt: string;
}

async function findEntry(identityId: string, entryId: string): Promise<Entry> {
  const [entry] = await rows<Entry>(pool(), {
    name: 'audit-entry',
    isoTimes: true,
    text: `SELECT resource, resource_id AS "resourceId", occurred_at AS "occurredAt" FROM audit_entries
      WHERE identity_id = $1 AND id = $2 AND action = 'updated'`,
    values: [identityId, entryId],
  });
  if (!entry) throw notFound();
  return entry;
}

/** The record before and after what one transaction has changed of it; undefined if that is not known in full. */
async function readChange(identityId: string, object: { type: string; id: string; at: string }) {
  const events = await findChanges(identityId, object);
  const data = events.flatMap((event) => ('truncated' in event.data ? [] : [event.data]));
  const after = data.at(-1)?.object;
  if (!after || data.length < events.length) return undefined;
  return {
    after,
    before: Object.assign({}, after, ...data.toReversed().map(({ previousAttributes }) => previousAttributes)) as Fields,
  };
}

type Json = NonNullable<PreviousValues['change']>['values'][number]['previous'];

const orNull = (value: unknown): unknown => (value === undefined ? null : value);

/** The password of a meeting is not in the log: the current one stays. */
function withoutPassword(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('password' in value)) return value;
  const { password: _, ...rest } = value;
  return rest;
}

/**
 * The values before a change of the audit log that are other ones now.
 * @throws AppError not_found if there is no such change, or its record is gone
 */
export async function getPreviousValues(actor: Actor, entryId: string): Promise<PreviousValues> {
  const { identityId } = actor;
  const { resource, resourceId: id, occurredAt: at } = await findEntry(identityId, entryId);
  if (!(resource in kinds)) return { change: null };
  const kind = resource as RestorableKind;
  const { object, read, values, constant = () => ({}) } = kinds[kind];
  const [change, record] = await Promise.all([readChange(identityId, { type: object, id, at }), read(actor, id)]);
  if (!change) return { change: null };
  const [before, after, now] = [values(change.before), values(change.after), values(record)];
  const isEqual = (one: unknown, other: unknown) => isDeepStrictEqual(withoutPassword(one), withoutPassword(other));
  return {
    change: {
      kind,
      id,
      revision: Number(record.revision),
      constant: constant(record),
      values: before.flatMap(([path, value], index) => {
        const [previous, changed, current] = [value, after[index]?.[1], now[index]?.[1]].map(orNull);
        if (isEqual(previous, changed) || isEqual(previous, current)) return [];
        const restored = withCurrentPassword(previous, current) as Json;
        return [{ path, previous: restored, current: current as Json, isChangedSince: !isEqual(changed, current) }];
      }),
    },
  };
}

function withCurrentPassword(previous: unknown, current: unknown): unknown {
  const password = (current as { password?: string } | null)?.password;
  const rest = withoutPassword(previous);
  return rest === previous || password === undefined ? rest : { ...(rest as object), password };
}
