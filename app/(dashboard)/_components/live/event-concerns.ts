import type { EventRecord } from '@/server/features/events/event.schema';

/**
 * The routers whose answers an event changes, by the first part of its type. Conversations and the calendar have versions in the
 * live counts, which are fetched with every event.
 */
const concerns: Readonly<Record<string, readonly string[]>> = {
  agent: ['agents', 'home', 'agentMail'],
  api_key: ['apiKeys'],
  blog: ['blog', 'home'],
  calendar: [],
  conversation: ['notifications'],
  customer: ['customers', 'home'],
  identity: ['identity', 'account', 'home', 'agentMail'],
  message: ['mail', 'notifications'],
  label: ['labels', 'conversations'],
  snippet: ['snippets'],
  usage: ['usage', 'home'],
  webhook: [],
};

/** Every event may be delivered. */
const always = ['webhooks'] as const;

/** The routers whose answers these events change; null for one whose type is not known here. */
export function routersOf(type: string): readonly string[] | null {
  const [subject = ''] = type.split('.');
  const routers = concerns[subject];
  return routers ? [...always, ...routers] : null;
}

/** Queries that are not refetched: the live counts have a way of their own, and the post editor looks for changes when it saves. */
const exempt: readonly string[] = ['conversations.pulse', 'blog.get'];

/** Whether a query is refetched, by the path in its key: `['customers', 'list']`. */
export type IsConcerned = (path: readonly string[]) => boolean;

/** Concerns everything that may be refetched. */
export const concernsAll: IsConcerned = (path) => !exempt.includes(path.join('.'));

/** Tells which queries these events concern. */
export function concernedBy(events: readonly Pick<EventRecord, 'type'>[]): IsConcerned {
  const routers = new Set(events.flatMap(({ type }) => routersOf(type) ?? []));
  return (path) => routers.has(path[0] ?? '') && concernsAll(path);
}
