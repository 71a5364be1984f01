import { domainOf } from '@/server/features/addresses/address-claim.service';
import { moveAgents } from '@/server/features/agents/agent-domain.service';
import { createApiKey } from '@/server/features/api-keys/api-key.service';
import { deleteBlogPost } from '@/server/features/blog/blog-post-deletion.service';
import { deleteEvent } from '@/server/features/calendar/event-deletion.service';
import { recordDelivery } from '@/server/features/conversations/delivery.service';
import { replyTo } from '@/server/features/conversations/reply.service';
import { deleteConversation } from '@/server/features/conversations/trash.service';
import { deleteCustomer } from '@/server/features/customers/customer.service';
import { invite } from '@/server/features/team/invitation.service';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { transaction } from '@/server/platform/db/transaction';
import { operations, rest } from '@/server/registry';
import { addAddress, codeFor, newDomain, proveDomain, publishRecord } from './addresses';
import { publishPost } from './blog';
import { changeTestEvent } from './calendar';
import type { TestDnsServer } from './dns-server';
import { createTestIdentity, type TestIdentity } from './identity';
import { deliver } from './mail';
import { bodies, createResources, parametersOf, type Resources, smallPicture } from './operations';
import { createTestBrowser } from './push';
import { sessionCookieOf } from './session';
import { addTestMember } from './team';

/** A business with one of each resource, for operations that succeed. */
export interface Own extends TestIdentity {
  resources: Resources;
  dns: TestDnsServer;
}

let created = 0;

export const meetingPassword = 'sesame-4711';

export async function createOwn(dns: TestDnsServer): Promise<Own> {
  const handle = `own-${++created}`;
  // At the domain to which `createResources` writes.
  const identity = await createTestIdentity({ handle, address: `desk@${handle}.localhost` });
  const resources = await createResources(identity);
  await changeTestEvent(identity.actor, resources.event.id, {
    virtualMeeting: { provider: 'zoom', url: 'https://zoom.example/j/1', password: meetingPassword },
  });
  return { ...identity, resources, dns };
}

async function newAddress({ actor }: Own): Promise<string> {
  const address = `sales@${newDomain()}`;
  await addAddress(actor, address);
  return address;
}

async function provenAddress(own: Own): Promise<string> {
  const address = await newAddress(own);
  await proveDomain(own.dns, own.actor, address);
  return address;
}

const provable = async (own: Own) => {
  const address = await newAddress(own);
  await publishRecord(own.dns, own.actor, address);
  return address;
};

/** Mail of a message that could not be sent. */
async function failedMail({ actor, identityId, resources }: Own): Promise<string> {
  const { id: messageId } = await replyTo(actor, { conversationId: resources.conversationId, text: 'Hello', quote: false });
  await transaction({ kind: 'system', cause: 'delivery' }, async (client) => {
    await client.query(`UPDATE outbox_mails SET state = 'failed' WHERE identity_id = $1 AND message_id = $2`, [
      identityId,
      messageId,
    ]);
    await recordDelivery(client, identityId, messageId, 'failed', new Date());
  });
  return (await prisma().outboxMail.findFirstOrThrow({ where: { messageId } })).id;
}

const newMail = ({ handle }: Own) => deliver({}, { to: `desk@${handle}.localhost` });

async function quarantined({ identityId }: Own): Promise<string> {
  const data = {
    ...{ identityId, reason: 'unparsable', detail: '', source: 'smtp', sender: 'ann@quark.example', recipients: [] },
    ...{ size: 1, sha256: 'a'.repeat(64), isTruncated: false },
  };
  return (await prisma().quarantinedMail.create({ data })).id;
}

/** Makes the next record of usage reach a figure of the plan. */
async function onFreePlan({ identityId }: Own): Promise<{ type: 'token_usage'; totalTokens: number }> {
  await pool().query(`UPDATE identities SET plan = 'free' WHERE id = $1`, [identityId]);
  return { type: 'token_usage', totalTokens: 80_000 };
}

const anotherKey = async ({ actor }: Own) => ({
  id: (await createApiKey(actor, { name: 'Another', expiresAt: null })).apiKey.id,
});

const colleague = async (own: Own) => (await addTestMember(own, 'member')).actor.userId;

const invitation = async ({ actor }: Own) => ({
  id: (await invite(actor, { email: `invited@${newDomain()}`, role: 'member' })).id,
});

type Inputs = (own: Own) => object[] | Promise<object[]>;

/**
 * Inputs with which an operation succeeds and writes each of its types of events. An operation of the REST API without an entry gets
 * its path and its example of `operations.ts`.
 */
const inputs: Record<string, Inputs> = {
  'account.deleteIdentity': ({ handle }) => [{ handle }],
  'agents.create': () => [{ name: 'Another', roleId: 'another' }],
  'agents.duplicate': ({ resources }) => [{ agentId: resources.agent.id }],
  'apiKeys.create': () => [{ name: 'Another' }],
  'apiKeys.rotate': async (own) => [await anotherKey(own)],
  'apiKeys.revoke': async (own) => [await anotherKey(own)],
  'blog.unpublish': async ({ actor }) => [{ postId: (await publishPost(actor)).id }],
  'blog.uploadImage': () => [{ content: smallPicture }],
  'blog.preview': () => [{ title: 'New', content: 'Text' }],
  'calendar.update': ({ resources: { event } }) => [
    { eventId: event.id, title: 'Changed' },
    { eventId: event.id, virtualMeeting: { provider: 'zoom', url: 'https://zoom.example/j/1', password: `${meetingPassword}2` } },
    { eventId: event.id, status: 'cancelled', notifyAttendeesOfChanges: true },
  ],
  'calendar.showFeed': () => [{}],
  'calendar.renewFeed': () => [{}],
  'calendar.revokeFeed': () => [{}],
  'conversations.update': async (own) => {
    const { conversationId } = own.resources;
    return [
      { conversationId, isSpam: true },
      { conversationId, assignee: { type: 'member', id: await colleague(own) } },
      { conversationId, assignee: { type: 'agent', id: own.resources.agent.id } },
      { conversationId, assignee: null },
    ];
  },
  'conversations.delete': async (own) => {
    const { conversationId } = own.resources;
    const { conversationId: other } = await newMail(own);
    return [{ conversationId }, { conversationId: other, permanent: true }];
  },
  'customers.restore': async ({ actor, resources: { customer } }) => {
    await deleteCustomer(actor, customer.id);
    return [{ id: customer.id }];
  },
  'calendar.restore': async ({ actor, resources: { event } }) => {
    await deleteEvent(actor, event.id);
    return [{ eventId: event.id }];
  },
  'blog.restore': async ({ actor, resources: { post } }) => {
    await deleteBlogPost(actor, post.id);
    return [{ postId: post.id }];
  },
  'conversations.restore': async (own) => {
    const { conversationId } = own.resources;
    await deleteConversation(own.actor, { conversationId, permanent: false });
    return [{ conversationId }];
  },
  'conversations.deleteMany': async (own) => {
    const { conversationId } = own.resources;
    const { conversationId: other } = await newMail(own);
    return [{ ids: [conversationId] }, { ids: [other], permanent: true }];
  },
  'conversations.presence': ({ resources: { conversationId } }) => [{ conversationId, activity: 'answering' }],
  'identity.addAddress': () => [{ handle: 'sales', address: `sales@${newDomain()}` }],
  'identity.removeAddress': async (own) => [{ address: await newAddress(own) }],
  'identity.useAsOwnAddress': async (own) => [{ address: await provenAddress(own) }],
  'identity.sendAddressCode': async (own) => [{ address: await newAddress(own) }],
  'identity.confirmAddressCode': async (own) => {
    const address = await newAddress(own);
    return [{ address, code: await codeFor(own.actor, address) }];
  },
  'identity.checkAddressDomain': async (own) => [{ address: await provable(own) }],
  'mailboxes.moveAgents': async (own) => [{ domain: domainOf(await provenAddress(own)) }],
  'mailboxes.removeAgentAddress': async (own) => {
    const { id: agentId, roleId } = own.resources.agent;
    await moveAgents(own.actor, domainOf(await provenAddress(own)));
    return [{ agentId, address: `${roleId}@${own.handle}.localhost` }];
  },
  'members.setRole': async (own) => [{ userId: await colleague(own), role: 'viewer' }],
  'members.remove': async (own) => [{ userId: await colleague(own) }],
  'members.leave': async (own) => {
    await addTestMember(own, 'owner');
    return [{}];
  },
  'members.requireTwoFactor': () => [{ isRequired: false }],
  'members.invite': () => [{ email: `invited@${newDomain()}`, role: 'member' }],
  'members.resendInvitation': async (own) => [await invitation(own)],
  'members.revokeInvitation': async (own) => [await invitation(own)],
  'notifications.markRead': () => [{ all: true }],
  'notifications.updateSettings': () => [{ channels: { assigned: { email: 'daily' } } }],
  'notifications.subscribe': async (own) => {
    await sessionCookieOf(own);
    return [createTestBrowser('https://8.8.8.8/push').subscription];
  },
  'notifications.unsubscribe': () => [{}],
  'notifications.sendTest': () => [{ channel: 'email' }],
  'mail.sendTest': () => [{}],
  'mail.resend': async (own) => [{ mailId: await failedMail(own) }],
  'mail.removeQuarantined': async (own) => [{ mailId: await quarantined(own) }],
  'usage.track': async (own) => [await onFreePlan(own)],
  'usage.trackBatch': async (own) => [{ records: [await onFreePlan(own)] }],
};

/** @throws Error for a procedure without inputs */
export async function ownInputs(name: string, own: Own): Promise<object[]> {
  const given = await inputs[name]?.(own);
  if (given) return given;
  const route = rest.routes.all.find((each) => each.name === name);
  const body = bodies[name];
  if (!route || (route.takesBody && !body && !route.rest.bodyOptional)) {
    throw new Error(`${name}: add to inputs in server/testing/own-inputs.ts how its owner would use it.`);
  }
  const known = parametersOf(own.resources);
  const parameters = route.segments.filter(({ parameter }) => parameter).map(({ text }) => [text, known[text]]);
  return [{ ...body, ...Object.fromEntries(parameters) }];
}

/** Names with inputs whose procedures no longer exist. */
export function staleOwnInputs(): string[] {
  const names = new Set(operations.keys());
  return Object.keys(inputs).filter((name) => !names.has(name));
}
