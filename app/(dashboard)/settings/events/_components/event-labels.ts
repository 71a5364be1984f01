import type { EventRecord } from '@/server/features/events/event.schema';

/** Names of what events are about, by the part of a type before its last one. */
const subjects: Readonly<Record<string, string>> = {
  'agent.hitl': 'Agent escalation steps',
  api_key: 'API key',
  'blog.post': 'Post',
  'calendar.event': 'Calendar event',
  'calendar.invitee': 'Invitee',
  identity: 'Business profile',
  usage: 'Usage',
};

const readable = (text: string): string => text.replaceAll('_', ' ').replaceAll('.', ' ');
const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** A type of event in words: "Customer created", "Usage threshold reached". */
export function typeLabel(type: string): string {
  const end = type.lastIndexOf('.');
  const subject = type.slice(0, Math.max(0, end));
  return `${subjects[subject] ?? capital(readable(subject))} ${readable(type.slice(end + 1))}`.trim();
}

/** What the types of a group are about, as in "All customer events", where it differs from its name. */
const groups: Readonly<Record<string, string>> = {
  'agent.hitl': 'escalation step',
  api_key: 'API key',
  'blog.post': 'post',
  'calendar.event': 'calendar entry',
  'calendar.invitee': 'invitee',
  identity: 'business profile',
};

/** The events of a group, `customer` for `customer.*`: "customer events". */
export function groupLabel(group: string): string {
  return `${groups[group] ?? readable(group)} events`;
}

/** The first part of a type, by which types are grouped: `customer`. */
const groupOf = (type: string): string => type.split('.')[0] ?? type;

export interface TypeGroup<Type extends { type: string }> {
  group: string;
  types: Type[];
}

/** Types in groups, in their order. */
export function groupTypes<Type extends { type: string }>(types: readonly Type[]): TypeGroup<Type>[] {
  const found = new Map<string, Type[]>();
  for (const each of types) found.set(groupOf(each.type), [...(found.get(groupOf(each.type)) ?? []), each]);
  return [...found].map(([group, ofGroup]) => ({ group, types: ofGroup }));
}

/** The choices of a filter by type: the events of a group, then each of its types. */
export function typeChoices(types: readonly { type: string }[]): { value: string; label: string }[] {
  return groupTypes(types).flatMap(({ group, types: ofGroup }) => [
    ...(ofGroup.length > 1 ? [{ value: `${group}.*`, label: `All ${groupLabel(group)}` }] : []),
    ...ofGroup.map(({ type }) => ({ value: type, label: typeLabel(type) })),
  ]);
}

/** True if a type matches a pattern: `*`, `customer.*` or `customer.created`. */
export function matchesPattern(type: string, pattern: string): boolean {
  if (pattern === '*' || pattern === type) return true;
  return pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1));
}

type Fields = Record<string, unknown>;

/** The object of an event; null if it was too large for the log. */
function objectOf({ data }: Pick<EventRecord, 'data'>): Fields | null {
  return 'object' in data ? data.object : null;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');

/** The name of a customer's primary contact, else its email. */
function contactName({ contacts }: Fields): string {
  if (!Array.isArray(contacts)) return '';
  const all = contacts as Fields[];
  const contact = all.find(({ isPrimary }) => isPrimary === true) ?? all[0];
  return contact ? textOf(contact.displayName) || textOf(contact.email) : '';
}

/** Fields that name an object, the best first. */
const nameFields = ['company', 'title', 'subject', 'displayName', 'name', 'summary', 'email', 'handle', 'url', 'figure'];

/** What people call the object of an event: a company, a subject, a title; '' if that is unknown. */
export function objectName(event: Pick<EventRecord, 'data' | 'object'>): string {
  const object = objectOf(event);
  if (object === null) return '';
  for (const field of nameFields) {
    const name = textOf(object[field]);
    if (name !== '') return name;
  }
  return contactName(object);
}

export interface ObjectLink {
  href: string;
  label: string;
}

/** The page of an event's object; null if it was deleted or has none. */
export function objectLink(event: Pick<EventRecord, 'type' | 'data' | 'object'>): ObjectLink | null {
  if (event.type.endsWith('.deleted')) return null;
  const { id } = event.object;
  const parent = (field: string) => textOf(objectOf(event)?.[field]);
  switch (event.type.split('.').slice(0, -1).join('.')) {
    case 'customer':
      return { href: `/customers/${id}`, label: 'Open customer' };
    case 'agent':
    case 'agent.hitl':
      return { href: `/agents/${id}`, label: 'Open agent' };
    case 'conversation':
      return { href: `/inbox/${id}`, label: 'Open conversation' };
    case 'message':
      return parent('conversationId') === '' ? null : { href: `/inbox/${parent('conversationId')}`, label: 'Open conversation' };
    case 'blog.post':
      return { href: `/posts/${id}`, label: 'Open post' };
    case 'calendar.event':
      return { href: `/calendar?event=${id}`, label: 'Open calendar event' };
    case 'calendar.invitee':
      return { href: `/calendar?event=${parent('eventId') || id}`, label: 'Open calendar event' };
    case 'identity':
      return { href: '/identity', label: 'Open business profile' };
    case 'api_key':
      return { href: '/api-keys', label: 'Open API keys' };
    case 'usage':
      return { href: '/usage', label: 'Open usage' };
    case 'webhook':
      return { href: `/settings/webhooks/${id}`, label: 'Open webhook' };
    default:
      return null;
  }
}

/** Who made a change. */
export function actorName({ type, name }: EventRecord['actor']): string {
  switch (type) {
    case 'user':
      return name ?? 'Dashboard';
    case 'api_key':
      return name ?? 'API key';
    case 'agent':
      return name ?? 'Agent';
    case 'guest':
      return name ?? 'Guest';
    case 'system':
      return name ?? 'System';
  }
}

/** A changed field of an event, as the audit log shows it. */
export interface FieldChange {
  field: string;
  before: unknown;
  after: unknown;
}

/** The fields that an event changed, without when and how often it was written; empty unless it has `previousAttributes`. */
export function fieldChanges({ data }: Pick<EventRecord, 'data'>): FieldChange[] {
  if (!('object' in data) || data.previousAttributes === undefined) return [];
  return Object.entries(data.previousAttributes)
    .filter(([field]) => field !== 'updatedAt' && field !== 'revision')
    .map(([field, before]) => ({ field, before, after: data.object[field] ?? null }));
}

/** The command that follows the log with the same filter. */
export function followCommand(origin: string, pattern: string): string {
  const types = pattern === '' ? '' : `&types=${pattern}`;
  return `curl -H "Authorization: Bearer $FRONTDESK_API_KEY" "${origin}/api/v1/event-log?after=now&wait=50${types}"`;
}
