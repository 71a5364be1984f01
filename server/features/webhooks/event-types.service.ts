import { identityEvents } from '@/server/features/addresses/identity.events.schema';
import { agentEvents, hitlEvents } from '@/server/features/agents/agent.events.schema';
import { apiKeyEvents } from '@/server/features/api-keys/api-key.events.schema';
import { blogPostEvents } from '@/server/features/blog/blog-post.events.schema';
import { calendarEvents } from '@/server/features/calendar/calendar.events.schema';
import {
  conversationEvents,
  labelEvents,
  messageEvents,
  noteEvents,
  snippetEvents,
} from '@/server/features/conversations/conversation.events.schema';
import { customerEvents } from '@/server/features/customers/customer.events.schema';
import type { EventRecord } from '@/server/features/events/event.schema';
import { type EventKind, exampleOf, patternsOf } from '@/server/features/events/event-kind.schema';
import { usageEvents } from '@/server/features/usage/usage.events.schema';
import type { Actor } from '@/server/platform/actor';
import { hasAccess, requireAccess } from '@/server/platform/auth/access';
import { invalidFields } from '@/server/platform/errors';
import { webhookEvents } from './webhook.events.schema';
import type { EventTypes } from './webhook.schema';

/** The events of all features. */
const kinds = [
  identityEvents,
  customerEvents,
  agentEvents,
  hitlEvents,
  conversationEvents,
  messageEvents,
  noteEvents,
  labelEvents,
  snippetEvents,
  blogPostEvents,
  calendarEvents,
  usageEvents,
  apiKeyEvents,
  webhookEvents,
] as unknown as readonly EventKind[];

/** All kinds by type of event. */
const byType: ReadonlyMap<string, EventKind> = new Map(
  kinds.flatMap((kind) => Object.keys(kind.types).map((type) => [type, kind] as const)),
);

const patterns: ReadonlySet<string> = new Set(['*', ...[...byType.keys()].flatMap(patternsOf)]);

/** All types of events, in the order in which they are documented. */
export function eventTypes(): string[] {
  return [...byType.keys()];
}

/** The kind of object that events of this type are about. */
export function kindOf(type: string): EventKind | undefined {
  return byType.get(type);
}

/** The types of events that match these patterns. */
export function typesMatching(given: readonly string[]): string[] {
  return eventTypes().filter((type) => patternsOf(type).some((pattern) => given.includes(pattern)));
}

/** @throws AppError invalid_request, naming `field`, for a pattern that no type of event matches */
export function refuseUnknownPatterns(given: readonly string[], field: string): void {
  const unknown = given.filter((pattern) => !patterns.has(pattern));
  if (unknown.length === 0) return;
  throw invalidFields({ [field]: `has no events: ${unknown.join(', ')}. GET /webhook-event-types lists all types` });
}

function accessTo(type: string): EventKind['access'] {
  return kindOf(type)?.access ?? { scope: '*' };
}

/**
 * Requires that an actor may read the objects of all events that match these patterns.
 * @throws AppError insufficient_scope or not_for_agents
 */
export function requireReadable(actor: Actor, given: readonly string[]): void {
  for (const type of typesMatching(given)) requireAccess(actor, accessTo(type));
}

export function isReadable(actor: Actor, type: string): boolean {
  return hasAccess(actor, accessTo(type));
}

/** All types of events whose objects an actor may read. */
export function readableTypes(actor: Actor): string[] {
  return eventTypes().filter((type) => isReadable(actor, type));
}

/**
 * Limits patterns to the events whose objects an actor may read. Nothing given stands for all types.
 * @throws AppError insufficient_scope or not_for_agents for a type that is named
 */
export function readablePatterns(actor: Actor, given: string[] = ['*']): string[] {
  const matching = typesMatching(given);
  const readable = matching.filter((type) => isReadable(actor, type));
  if (readable.length === matching.length) return given;
  requireReadable(
    actor,
    given.filter((pattern) => !pattern.endsWith('*')),
  );
  return readable;
}

/**
 * An event as it could be, for documentation and test deliveries.
 * @throws AppError invalid_request, naming `type`, for one that does not exist
 */
export function exampleEvent(type: string, { id, createdAt }: Pick<EventRecord, 'id' | 'createdAt'>): EventRecord {
  const kind = byType.get(type);
  if (!kind) throw invalidFields({ type: 'is no type of event. GET /webhook-event-types lists all types' });
  const object = exampleOf(kind) as { id?: string; agentId?: string };
  return {
    id,
    type,
    createdAt,
    object: { type: kind.object, id: object.id ?? object.agentId ?? kind.object, version: 1 },
    data: { object } as unknown as EventRecord['data'],
    actor: { type: 'system', id: null, name: null },
    requestId: null,
  };
}

/** `GET /webhook-event-types` */
export function listEventTypes(): EventTypes {
  const fixed = { id: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50', createdAt: '2026-11-21T09:30:00.000Z' };
  const types = [...byType].map(([type, kind]) => ({
    type,
    description: (kind.types as Record<string, string>)[type] ?? '',
    example: exampleEvent(type, fixed),
  }));
  return { types, count: types.length };
}
