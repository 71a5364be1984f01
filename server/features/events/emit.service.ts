import { v7 as uuidv7 } from 'uuid';
import * as z from 'zod';
import { type Author, requestOf } from '@/server/platform/actor';
import { runWithCommit, type StatementRunner } from '@/server/platform/db/transaction';
import { publicUrl } from '@/server/platform/env';
import { JobKind } from '@/server/platform/jobs/job';
import type { EventActor } from './event.schema';
import { type EventKind, patternsOf } from './event-kind.schema';
import { signalAfterCommit } from './event-signals.service';

/** Data of an event above this size in bytes is replaced by a link (Standard Webhooks 1.0, "Payload size"). */
export const maximumDataBytes = 20 * 1024;

export interface DeliveryKey {
  identityId: string;
  deliveryId: string;
}

/**
 * The job that makes an attempt; `features/webhooks` runs it. Its destination is the webhook. Webhooks that fail and those that
 * answer slowly have lanes of their own, so that they do not take the slots of others.
 */
export const deliverJob = new JobKind<DeliveryKey>('deliver-webhook', 'outbound', 'failing', 'slow');

/** One change of an object. */
export interface Change<Schema extends z.ZodType = z.ZodType, Type extends string = string> {
  kind: EventKind<Schema, Type>;
  type: Type;
  id: string;
  /** The object after the change, or before its deletion; exactly what GET answers. */
  object: z.output<Schema>;
  /** The object before the change. A change of nothing but `updatedAt` and `revision` is no event. */
  previous?: z.output<Schema> | undefined;
  /** True for the first event of a new object; by default, if the type ends with `.created`. */
  isNew?: boolean;
}

/** Puts a change together, so that the compiler checks its type and object against the kind. */
export function change<Schema extends z.ZodType, Type extends string>(given: Change<Schema, Type>): Change {
  return given as unknown as Change;
}

interface EmitOptions {
  /** The identity, for an author that acts for none or for several. */
  identityId?: string;
  /** Who made the change, if it is not the author: somebody outside who answered an invitation. */
  actor?: EventActor;
  /** Only for objects that have no event yet: what happens once. */
  once?: boolean;
}

type Fields = Record<string, unknown>;

/** Fields that every write raises, also one of the values that are there already; no change by themselves. */
const writeMarks = new Set(['updatedAt', 'revision']);

/** Whether the JSON of two values differs. That of two texts does exactly if they do, and is not made of megabytes to find out. */
function differs(one: unknown, other: unknown): boolean {
  if (typeof one === 'string' && typeof other === 'string') return one !== other;
  return JSON.stringify(one) !== JSON.stringify(other);
}

/** Names of the top-level fields with different values. */
function changedFields(before: Fields, after: Fields): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => differs(before[name], after[name]));
}

/** The fields that GET answers, in its order; a record may have others, which are for nobody outside. */
function answered(schema: z.ZodType, record: unknown): Fields {
  if (!(schema instanceof z.ZodObject)) return record as Fields;
  const given = record as Fields;
  return Object.fromEntries(Object.keys(schema.shape).flatMap((name) => (name in given ? [[name, given[name]]] : [])));
}

/** Whether a text alone is too large: JSON in UTF-8 has at least a byte for each unit of a text's length. */
function hasLargeText(fields: Fields = {}): boolean {
  return Object.values(fields).some((value) => typeof value === 'string' && value.length > maximumDataBytes);
}

/** The data of an event as JSON; null if nothing has changed. */
export function eventDataOf({ kind, id, object, previous }: Change): string | null {
  const mask = (kind.mask ?? ((value: unknown) => value)) as (value: unknown) => Fields;
  const after = answered(kind.schema, object);
  const data: { object: Fields; previousAttributes?: Fields } = { object: mask(after) };
  if (previous !== undefined) {
    const old = answered(kind.schema, previous);
    // Compared before they are masked: a new password is a change, too.
    const fields = changedFields(old, after);
    if (fields.every((name) => writeMarks.has(name))) return null;
    const before = mask(old);
    data.previousAttributes = Object.fromEntries(fields.map((name) => [name, before[name] ?? null]));
  }
  const isLarge = hasLargeText(data.object) || hasLargeText(data.previousAttributes);
  const text = isLarge ? null : JSON.stringify(data);
  if (text !== null && Buffer.byteLength(text) <= maximumDataBytes) return text;
  return JSON.stringify({ truncated: true, url: `${publicUrl()}/api/v1${kind.path(id, object)}` });
}

function actorOf(author: Author): EventActor {
  switch (author.kind) {
    case 'apiKey':
      if (author.agent) return { type: 'agent', id: author.agent.id, name: author.agent.name };
      return { type: 'api_key', id: author.apiKeyId, name: author.name ?? null };
    case 'session':
      return { type: 'user', id: author.userId, name: author.name ?? null };
    case 'system':
      return { type: 'system', id: null, name: null };
  }
}

/** The function, of the migrations, that adds events to the log, and their deliveries to webhooks with their jobs. */
const emitStatement = 'SELECT emit_events($1, $2, $3, $4, $5, $6, $7, $8, $9::text[])';

/** Events of one statement; each may have 20 kB of data. */
const eventsPerStatement = 100;

/** What `emit_events` is given of a change, as JSON; null if nothing has changed. */
function eventOf(each: Change): string | null {
  const data = eventDataOf(each);
  if (data === null) return null;
  const { type, kind, id, isNew = type.endsWith('.created') } = each;
  const object = { object_type: kind.object, object_id: id, is_new: isNew, is_deleted: type.endsWith('.deleted') };
  const event = JSON.stringify({ id: uuidv7(), type, ...object, patterns: patternsOf(type) });
  // The data is JSON already.
  return `${event.slice(0, -1)},"data":${data}}`;
}

/**
 * Writes the events of changes in the transaction that makes them, with its COMMIT: until then the objects' versions are not locked.
 * @param db the open transaction
 */
export async function emit(
  db: StatementRunner,
  author: Author,
  changes: Change | readonly Change[],
  { identityId, actor = actorOf(author), once = false }: EmitOptions = {},
): Promise<void> {
  const identity = identityId ?? ('identityId' in author ? author.identityId : null);
  if (!identity) throw new Error('an event belongs to an identity');
  // As the client knows it: its own id, if it sent one.
  const { requestId = null, clientRequestId = requestId } = requestOf(author) ?? {};
  const events = [changes].flat().flatMap((each) => eventOf(each as Change) ?? []);
  for (let start = 0; start < events.length; start += eventsPerStatement) {
    const given = `[${events.slice(start, start + eventsPerStatement).join(',')}]`;
    await runWithCommit(db, {
      name: 'event-emit',
      text: emitStatement,
      values: [identity, given, actor.type, actor.id, actor.name, clientRequestId, once, deliverJob.kind, deliverJob.lanes],
    });
  }
  if (events.length > 0) signalAfterCommit(db, identity);
}
