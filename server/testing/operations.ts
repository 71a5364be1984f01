import type { AgentDetail } from '@/server/features/agents/agent.schema';
import { createAgent } from '@/server/features/agents/agent.service';
import { type BlogPostRecord, createBlogPostInput } from '@/server/features/blog/blog-post.schema';
import { createBlogPost } from '@/server/features/blog/blog-post.service';
import type { EventRecord } from '@/server/features/calendar/calendar.schema';
import { type CustomerRecord, createCustomerInput } from '@/server/features/customers/customer.schema';
import { createCustomer } from '@/server/features/customers/customer.service';
import { testWebhook } from '@/server/features/webhooks/delivery.service';
import { createWebhookInput } from '@/server/features/webhooks/webhook.schema';
import { createWebhook } from '@/server/features/webhooks/webhook.service';
import { prisma } from '@/server/platform/db/prisma';
import type { RestRoute } from '@/server/platform/rest/route-table';
import { rest } from '@/server/registry';
import { createTestEvent } from './calendar';
import type { TestIdentity } from './identity';
import { deliver } from './mail';

/**
 * Helpers for tests of all API operations. An operation with a parameter or a body needs an example here; the tests report a
 * missing one.
 */

/** 16 pixels square, the minimum; a PNG in base64. */
export const smallPicture =
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAMAAAAoLQ9TAAAAA1BMVEUAiHeaQcsGAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADklEQVQYlWNgGAUMSAAAARAAAVGhZwQAAAAASUVORK5CYII=';

/** A valid body for each operation on an own resource. */
export const bodies: Record<string, object> = {
  'identity.update': { displayName: 'Changed' },
  'customers.create': { contacts: [{ email: 'new@x.io' }] },
  'customers.update': { company: 'Changed' },
  'customers.addContact': { email: 'new@x.io' },
  'agents.update': { name: 'Changed' },
  'agents.updateHitl': { routes: [{ level: 1 }] },
  'conversations.update': { isSpam: true },
  'conversations.deleteMany': { senderEmail: 'ann@quark.example' },
  'conversations.reply': { text: 'Hello' },
  'conversations.addNote': { text: 'Hello' },
  'usage.track': { type: 'token_usage', totalTokens: 1 },
  'usage.trackBatch': { records: [{ type: 'token_usage', totalTokens: 1 }] },
  'blog.create': { title: 'New', content: 'Text', authorName: 'Ann' },
  'blog.update': { title: 'Changed' },
  'blog.uploadImage': { content: smallPicture },
  'blog.updateSettings': { language: 'de' },
  'calendar.create': { title: 'New', startTime: '2026-11-24T09:00:00Z', endTime: '2026-11-24T10:00:00Z' },
  'calendar.update': { title: 'Changed' },
  'calendar.rsvp': { response: 'accepted' },
  // An address, so that no name has to be resolved; nothing is sent there.
  'webhooks.create': { url: 'https://8.8.8.8/hook', events: ['webhook.*'] },
  'webhooks.update': { description: 'Changed' },
  'webhooks.test': { type: 'customer.created' },
  'webhooks.recover': { since: new Date(Date.now() - 3_600_000).toISOString(), only: 'failed' },
};

/** Required queries of operations. */
export const queries: Record<string, string> = {
  'conversations.thread': '&conversationId=0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50',
  'calendar.availability': '&startTime=2026-11-24T09:00:00Z&endTime=2026-11-24T10:00:00Z',
};

/** One of each resource of an identity. */
export interface Resources {
  customer: CustomerRecord;
  agent: AgentDetail;
  conversationId: string;
  messageId: string;
  attachmentId: string;
  post: BlogPostRecord;
  event: EventRecord;
  webhookId: string;
  deliveryId: string;
}

/** Path parameters that refer to an identity's resources; those of missing ones are missing. */
export function parametersOf(resources: Partial<Resources>): Record<string, string> {
  const { customer, agent, conversationId, messageId, attachmentId, post, event, webhookId, deliveryId } = resources;
  const parameters = {
    ...{ id: customer?.id, guid: customer?.contacts[0]?.guid, agentId: agent?.id, conversationId, messageId, attachmentId },
    ...{ postId: post?.id, eventId: event?.id, webhookId, deliveryId },
  };
  return Object.fromEntries(Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

export function pathOf(route: RestRoute, parameters: Record<string, string>): string {
  const segments = route.segments.map(({ text, parameter }) => {
    if (!parameter) return text;
    const value = parameters[text];
    if (value === undefined) throw new Error(`${route.name}: give the parameter ${text} a value in parametersOf().`);
    return value;
  });
  return `/api/v1/${segments.join('/')}`;
}

export function bodyOf(route: RestRoute): object | undefined {
  if (!route.takesBody) return undefined;
  const body = bodies[route.name];
  if (!body) throw new Error(`${route.name}: give it an example in bodies.`);
  return body;
}

/** A conversation with an attachment. */
async function receiveAttachment({
  handle,
}: TestIdentity): Promise<Pick<Resources, 'conversationId' | 'messageId' | 'attachmentId'>> {
  const headers = { 'Content-Type': 'application/pdf; name="plan.pdf"' };
  const { conversationId, messageId } = await deliver({ headers }, { to: `inbox-manager@${handle}.localhost` });
  const { id } = await prisma().attachment.findFirstOrThrow({ where: { messageId } });
  return { conversationId, messageId, attachmentId: id };
}

/** A webhook with a delivery that waits. */
async function createTestWebhook({ actor }: TestIdentity): Promise<{ webhookId: string; deliveryId: string }> {
  const { id } = await createWebhook(actor, createWebhookInput.parse(bodies['webhooks.create']));
  return { webhookId: id, deliveryId: (await testWebhook(actor, id, 'customer.created')).id };
}

const contacts = [{ email: 'ann@x.io' }, { email: 'bob@x.io' }];

const creators = {
  customer: async ({ actor }: TestIdentity) => ({
    customer: await createCustomer(actor, createCustomerInput.parse({ contacts, company: 'Theirs', tags: ['a'] })),
  }),
  agent: async ({ actor }: TestIdentity) => ({
    agent: await createAgent(actor, { name: 'Theirs', roleId: 'theirs', kind: 'assistant' }),
  }),
  conversation: receiveAttachment,
  post: async ({ actor }: TestIdentity) => {
    const post = createBlogPostInput.parse({ title: 'Theirs', content: 'x', authorName: 'S' });
    return { post: (await createBlogPost(actor, post)).data.post };
  },
  // Its owner is invited as well, so that they can respond.
  event: async ({ actor, owner }: TestIdentity) => ({
    event: await createTestEvent(actor, { invitees: [{ email: 'ann@x.io' }, { email: owner.email }] }),
  }),
  webhook: createTestWebhook,
};

type Creator = keyof typeof creators;

async function create(identity: TestIdentity, names: Iterable<Creator>): Promise<Partial<Resources>> {
  const resources: Partial<Resources> = {};
  for (const name of names) Object.assign(resources, await creators[name](identity));
  return resources;
}

/** Creates one of each resource for this identity. */
export async function createResources(identity: TestIdentity): Promise<Resources> {
  return (await create(identity, Object.keys(creators) as Creator[])) as Resources;
}

const creatorOf: Record<string, Creator> = {
  ...{ id: 'customer', guid: 'customer', agentId: 'agent', postId: 'post', eventId: 'event' },
  ...{ conversationId: 'conversation', messageId: 'conversation', attachmentId: 'conversation' },
  ...{ webhookId: 'webhook', deliveryId: 'webhook' },
};

/** What an operation is about without its path naming it. */
const unnamed: Record<string, Creator> = {
  'conversations.deleteMany': 'conversation',
  'conversations.thread': 'conversation',
};

/** Creates what a request of this operation names, which takes a fraction of the time that one of each takes. */
export async function parametersFor(identity: TestIdentity, route: RestRoute): Promise<Record<string, string>> {
  const names = new Set(route.segments.flatMap(({ text, parameter }) => (parameter ? (creatorOf[text] ?? []) : [])));
  const also = unnamed[route.name];
  if (also) names.add(also);
  return parametersOf(await create(identity, names));
}

/** Operations with their names, for `describe.each`. */
export function named(list: readonly RestRoute[] = rest.routes.all): (readonly [string, RestRoute])[] {
  return list.map((route) => [`${route.method} ${route.path}`, route] as const);
}
