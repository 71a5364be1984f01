import { operations, rest } from '@/server/registry';
import { bodies, smallPicture } from './operations';
import { createTestBrowser } from './push';
import type { Victim } from './victim';

type Known = Victim['known'] & { identityId: string; email: string };
type Inputs = (known: Known) => object[];

const hour = { startTime: '2026-11-24T09:00:00Z', endTime: '2026-11-24T10:00:00Z' };
const password = 'correct horse battery';
const nothing: Inputs = () => [{}];
const unsigned = { id: 'AAAA', response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' } };

/**
 * Inputs that try to access another identity's data: its ids and addresses in every possible field, and searches for its texts.
 * Only addresses contain the marker itself. REST operations get a further input from their path and example.
 */
const inputs: Record<string, Inputs> = {
  'account.get': nothing,
  'account.changePassword': () => [{ currentPassword: password, newPassword: 'another long password' }],
  'account.changeEmail': ({ email }) => [{ currentPassword: password, email }],
  'account.proveEmail': nothing,
  'account.cancelEmailChange': nothing,
  'account.readEmailLink': () => [{ token: 'x' }],
  'account.confirmEmail': () => [{ token: 'x' }],
  'recovery.status': nothing,
  'recovery.requestPasswordReset': ({ email }) => [{ email }],
  'recovery.readPasswordLink': () => [{ token: 'x' }],
  'recovery.resetPassword': () => [{ token: 'x', newPassword: 'another long password' }],
  'account.sessions': nothing,
  'account.endSession': ({ sessionId }) => [{ id: sessionId }],
  'account.endOtherSessions': nothing,
  'account.signOutEverywhere': nothing,
  'account.switchIdentity': ({ identityId }) => [{ identityId }],
  'account.createIdentity': ({ slug }) => [{ displayName: 'Mine', handle: slug.replace('post', 'shop') }],
  'account.identityContents': nothing,
  'account.deleteIdentity': ({ slug }) => [{ handle: slug.replace('post', 'shop') }],
  'account.confirm': () => [{ currentPassword: password }, { currentPassword: password, code: '123456' }],
  'singleSignOn.options': nothing,
  'singleSignOn.enterCode': () => [{ code: '123456' }, { passkey: unsigned }],
  'singleSignOn.join': () => [{ token: 'x' }],
  'singleSignOn.status': nothing,
  'singleSignOn.connect': () => [{ returnTo: '/settings' }],
  'singleSignOn.confirm': () => [{ returnTo: '/settings' }, { returnTo: '/settings', code: '123456' }],
  'singleSignOn.disconnect': nothing,
  'twoFactor.status': nothing,
  'twoFactor.begin': nothing,
  'twoFactor.enable': () => [{ code: '123456' }],
  'twoFactor.disable': nothing,
  'twoFactor.renewRecoveryCodes': nothing,
  'passkeys.list': nothing,
  'passkeys.begin': nothing,
  'passkeys.add': () => [{ credential: { id: 'AAAA', response: { clientDataJSON: 'e30', attestationObject: 'oA' } } }],
  'passkeys.rename': ({ passkeyId }) => [{ id: passkeyId, name: 'Mine' }],
  'passkeys.remove': ({ passkeyId }) => [{ id: passkeyId }],
  'passkeys.beginConfirmation': nothing,
  'passkeys.confirm': ({ slug }) => [
    { answer: unsigned },
    // The credential id of theirs.
    { answer: { ...unsigned, id: Buffer.from(slug.replace('-post', '')).toString('base64url') } },
  ],
  'passkeys.beginSignIn': nothing,
  'passkeys.origin': nothing,
  'audit.list': ({ apiKeyId, id, eventId, auditEntryId }) => [
    {},
    { apiKeyId },
    { resourceId: id },
    { resourceId: eventId, limit: 100 },
    { search: 'secret' },
    { before: String(Number(auditEntryId) + 1) },
  ],
  'audit.previous': ({ auditEntryId }) => [{ entryId: auditEntryId }, { entryId: String(Number(auditEntryId) + 1) }],
  'audit.security': () => [{}, { kind: 'sign_in_failed' }, { before: 'ffffffff-ffff-7fff-bfff-ffffffffffff', limit: 100 }],
  'account.updateProfile': () => [{ displayName: 'Me' }, { timeZone: 'Europe/Berlin', language: 'de' }],
  'account.setPhoto': () => [{ content: smallPicture }],
  'account.removePhoto': nothing,
  'members.list': nothing,
  'members.team': nothing,
  'members.setRole': ({ memberId }) => [{ userId: memberId, role: 'viewer' }],
  'members.remove': ({ memberId }) => [{ userId: memberId }],
  'members.leave': nothing,
  'members.requireTwoFactor': () => [{ isRequired: true }, { isRequired: false }],
  'members.invite': ({ customerEmail }) => [{ email: customerEmail, role: 'member' }],
  'members.resendInvitation': ({ invitationId }) => [{ id: invitationId }],
  'members.revokeInvitation': ({ invitationId }) => [{ id: invitationId }],
  'invitations.read': () => [{ token: 'x' }],
  'invitations.accept': () => [{ token: 'x' }],
  'invitations.join': () => [{ token: 'x', displayName: 'Me', password: 'another long password' }],
  'invitations.decline': () => [{ token: 'x' }],
  'notifications.list': nothing,
  'notifications.unread': nothing,
  'notifications.markRead': ({ notificationId, conversationId }) => [
    { ids: [notificationId] },
    { conversationId },
    { all: true },
  ],
  'notifications.settings': nothing,
  'notifications.updateSettings': () => [
    { channels: { assigned: { email: 'off' } }, quietHours: { from: '22:00', to: '07:00' } },
  ],
  'notifications.subscribe': ({ slug }) => [
    // The browser of theirs.
    createTestBrowser(`https://8.8.8.8/${slug.replace('-post', '')}`).subscription,
  ],
  'notifications.unsubscribe': nothing,
  'notifications.sendTest': () => [{ channel: 'email' }, { channel: 'push' }],
  'setup.status': () => [{ token: 'x' }],
  'setup.complete': ({ email }) => [
    { token: 'x', email, password: 'another long password', displayName: 'Mine', handle: 'mine-now' },
  ],
  'apiKeys.list': nothing,
  'apiKeys.create': ({ agentId }) => [{ name: 'Mine' }, { name: 'Mine', scopes: ['blog:read'], agentId }],
  'apiKeys.rotate': ({ apiKeyId }) => [{ id: apiKeyId }],
  'apiKeys.revoke': ({ apiKeyId }) => [{ id: apiKeyId }],
  'identity.get': ({ conversationId, messageId }) => [{}, { conversationId }, { messageId }],
  'identity.addAddress': ({ address }) => [{ handle: 'theirs', address }],
  'identity.removeAddress': ({ address }) => [{ address }],
  'identity.addresses': nothing,
  'identity.useAsOwnAddress': ({ address }) => [{ address }],
  'identity.sendAddressCode': ({ address }) => [{ address }],
  'identity.confirmAddressCode': ({ address }) => [{ address, code: '12345678' }],
  'identity.checkAddressDomain': ({ address }) => [{ address }],
  'customers.list': ({ customerEmail }) => [{}, { query: 'secret' }, { tag: 'secret' }, { email: customerEmail }],
  'customers.create': ({ guid, customerEmail }) => [{ contacts: [{ guid }] }, { contacts: [{ email: customerEmail, guid }] }],
  'customers.addContact': ({ id, guid }) => [{ id, guid }],
  'customers.tags': nothing,
  'customers.suggestContacts': () => [{ query: 'secret' }, { query: 'ann' }],
  'agents.list': () => [{}, { query: 'secret' }],
  'agents.create': () => [{ name: 'Mine', roleId: 'mine' }],
  'agents.duplicate': ({ agentId }) => [{ agentId }],
  'mailboxes.agents': nothing,
  'mailboxes.moveAgents': ({ address }) => [{ domain: address.split('@')[1] }],
  'mailboxes.agentAddresses': ({ agentId }) => [{ agentId }],
  'mailboxes.removeAgentAddress': ({ agentId, address }) => [{ agentId, address: address.replace('desk@', 'earlier@') }],
  'conversations.list': ({ agentId, customerEmail, memberId }) => [
    {},
    { agentId },
    { search: 'secret' },
    { participant: customerEmail },
    { assignee: agentId },
    { assignee: memberId },
  ],
  'conversations.update': ({ conversationId, agentId, memberId }) => [
    { conversationId, assignee: { type: 'member', id: memberId } },
    { conversationId, assignee: { type: 'agent', id: agentId } },
  ],
  'conversations.delete': ({ conversationId }) => [{ conversationId }, { conversationId, permanent: true }],
  'conversations.deleteMany': ({ conversationId, customerEmail }) => [
    { ids: [conversationId] },
    { ids: [conversationId], permanent: true },
    { senderEmail: customerEmail, permanent: true },
    { folder: 'spam' },
    { folder: 'trash' },
  ],
  'conversations.reply': ({ conversationId, agentId, address }) => [{ conversationId, text: 'x', agentId, from: address }],
  'conversations.thread': ({ conversationId, messageId }) => [{ conversationId }, { messageId }],
  'conversations.replyDraft': ({ conversationId }) => [{ conversationId }],
  'conversations.presence': ({ conversationId }) => [
    { conversationId, activity: 'answering' },
    { conversationId, activity: 'left' },
  ],
  'conversations.pulse': nothing,
  'mail.setup': nothing,
  'mail.status': nothing,
  'mail.sendTest': nothing,
  'mail.testMail': ({ mailId }) => [{ mailId }],
  'mail.outbox': ({ mailId }) => [{}, { before: mailId }, { state: 'queued' }],
  'mail.get': ({ mailId }) => [{ mailId }],
  'mail.resend': ({ mailId }) => [{ mailId }],
  'mail.quarantine': ({ quarantinedId }) => [{}, { before: quarantinedId }],
  'mail.removeQuarantined': ({ quarantinedId }) => [{ mailId: quarantinedId }],
  'blog.list': () => [{}, { search: 'secret' }, { tag: 'secret' }],
  'blog.create': ({ agentId, pictureUrl, slug }) => {
    const post = { title: 'Mine', content: `![](${pictureUrl})`, authorName: 'Me' };
    return [
      { ...post, authorAgentId: agentId },
      { ...post, coverImageUrl: pictureUrl },
      { ...post, slug },
    ];
  },
  'blog.settings': nothing,
  'blog.overview': nothing,
  'blog.editing': ({ postId }) => [{ postId }],
  'blog.preview': ({ pictureUrl }) => [{ title: 'Mine', content: `![](${pictureUrl})`, coverImageUrl: pictureUrl }],
  'calendar.list': ({ agentId }) => [
    { startDate: '2026-01-01', endDate: '2027-01-01', expand: true, includeInvitees: true },
    { agentId },
  ],
  'calendar.create': ({ agentId, customerEmail }) => [
    { title: 'Mine', ...hour, agentId },
    { title: 'Mine', ...hour, invitees: [{ email: customerEmail }], sendEmailReminders: false },
  ],
  'calendar.availability': ({ eventId }) => [hour, { ...hour, excludeEventId: eventId }],
  'calendar.feed': nothing,
  'calendar.showFeed': nothing,
  'calendar.renewFeed': nothing,
  'calendar.revokeFeed': nothing,
  'calendar.exportEvent': ({ eventId }) => [{ eventId }],
  'usage.track': ({ agentId, conversationId, messageId }) => [
    { type: 'agent_execution', agentId, status: 'failed', conversationId, messageId, taskId: conversationId },
    { type: 'token_usage', totalTokens: 5, agentId },
  ],
  'usage.trackBatch': ({ agentId }) => [{ records: [{ type: 'agent_execution', agentId, status: 'failed' }] }],
  'usage.stats': nothing,
  'home.usage': nothing,
  'usage.executions': ({ agentId }) => [{ agentId }],
  'home.get': nothing,
  'data.get': nothing,
  'data.largest': nothing,
  'home.firstSteps': nothing,
  'events.read': () => [{}, { types: 'customer.*' }],
  'webhooks.list': nothing,
  'webhooks.eventTypes': nothing,
  'webhooks.deliveries': ({ webhookId }) => [{ webhookId }, { webhookId, status: 'pending' }],
  'events.history': () => [{}, { types: 'customer.*', limit: 100 }],
  'search.records': () => [{ query: 'secret' }, { query: 'Post' }, { query: 'ann' }],
};

/** Path and example body of a REST operation, with the ids of `known` in its path. */
function fromRest(name: string, known: Known): object[] {
  const route = rest.routes.all.find((each) => each.name === name);
  if (!route) return [];
  const parameters = route.segments.filter(({ parameter }) => parameter).map(({ text }) => [text, known[text as keyof Known]]);
  if (parameters.length === 0 && !route.takesBody) return [];
  return [{ ...bodies[name], ...Object.fromEntries(parameters) }];
}

/**
 * Inputs of a procedure that try to access the data of `known`.
 *
 * @throws Error for a procedure without inputs
 */
export function reachingInputs(name: string, known: Known): object[] {
  const all = [...fromRest(name, known), ...(inputs[name]?.(known) ?? [])];
  if (all.length > 0) return all;
  throw new Error(`${name}: add to inputs in server/testing/procedure-inputs.ts how somebody would reach for what is another’s.`);
}

/** Names with inputs whose procedures no longer exist. */
export function staleInputs(): string[] {
  const names = new Set(operations.keys());
  return Object.keys(inputs).filter((name) => !names.has(name));
}
