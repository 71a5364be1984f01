import type pg from 'pg';
import type { IdentityActor } from '@/server/platform/actor';
import { notFound } from '@/server/platform/errors';
import { canSendMail } from '@/server/platform/mail/smtp-transport';
import type { MailAgent } from '../mailboxes/agent-address.service';
import type { OwnAddresses, Sender } from '../mailboxes/own-address.service';
import { enqueueMails } from '../outbox/outbox.service';
import type { ComposerChoices } from './composer.schema';
import type { ConversationChanges } from './conversation-changes.service';
import type { MailAddressRecord, MessageRecord, ParsedReplyInput } from './message.schema';
import { assignAgents, insertMessage, insertParticipants, type NewMessage, newMessageRecord } from './message.writer';

/** What replies and new emails have in common. */

export type Recipients = Pick<NewMessage, 'to' | 'cc' | 'bcc'>;

/** Recipients of an input. */
export function addressesOf(list: NonNullable<ParsedReplyInput['to']>): MailAddressRecord[] {
  return list.map((item) =>
    typeof item === 'string' ? { email: item, displayName: null } : { email: item.email, displayName: item.displayName || null },
  );
}

/** Each recipient once, where it is named first. */
export function eachOnce({ to, cc, bcc }: Recipients): Recipients {
  const seen = new Set<string>();
  const once = (list: MailAddressRecord[]) =>
    list.filter(({ email }) => !seen.has(email.toLowerCase()) && seen.add(email.toLowerCase()));
  return { to: once(to), cc: once(cc), bcc: once(bcc) };
}

/** The agent who signs. @throws AppError not_found */
export function agentOf(agentId: string | null | undefined, own: OwnAddresses): MailAgent | undefined {
  if (!agentId) return undefined;
  const agent = own.agents.find(({ id }) => id === agentId.toLowerCase());
  if (!agent) throw notFound();
  return agent;
}

/** What the composer offers beside these senders. */
export function composerChoices(own: OwnAddresses, senders: Sender[]): ComposerChoices {
  const agents = own.agents.filter(({ status }) => status !== 'archived');
  return {
    senders,
    agents: agents.map(({ id, name, avatarEmoji, avatarUrl, signature }) => ({ id, name, avatarEmoji, avatarUrl, signature })),
    canSend: canSendMail(),
  };
}

/** The From of an email that this agent signs, or none. */
export function fromOf({ email, displayName }: Sender, agent: MailAgent | undefined): MailAddressRecord {
  return { email, displayName: agent ? agent.name : displayName };
}

/** The member who sends. */
export function sentByOf(actor: IdentityActor): NewMessage['sentBy'] {
  return actor.kind === 'session' ? { userId: actor.userId, name: actor.name?.trim() || null } : null;
}

/**
 * Writes an outgoing message of a conversation whose row the transaction has locked or written.
 *
 * @param changes takes its event; the caller writes it, and queues the email after that
 */
export async function writeOutgoing(
  client: pg.PoolClient,
  message: NewMessage,
  changes: ConversationChanges,
): Promise<MessageRecord> {
  const { identityId, conversationId, agentId } = message;
  const id = await insertMessage(client, message);
  await insertParticipants(client, message);
  await assignAgents(client, identityId, conversationId, agentId === null ? [] : [agentId]);
  const queued = newMessageRecord(id, message);
  changes.message('message.queued', queued);
  return queued;
}

/**
 * Queues the email of a message. Call it after the events are written: counting the mail blocks other mail of the identity until the
 * end of the transaction.
 *
 * @throws AppError quota_exceeded
 */
export async function enqueueMessage(client: pg.PoolClient, messageId: string, message: NewMessage): Promise<void> {
  const { identityId, from, to, cc, bcc, text, inReplyTo, references, messageIdHeader, subject } = message;
  const [replyTo] = message.replyTo;
  const attachments = message.attachments.map(({ filename, contentType, sha256 }) => ({ filename, contentType, sha256 }));
  const content = { from, to, cc, bcc, text, html: message.html ?? '', inReplyTo, references };
  const mail = { ...content, ...(replyTo ? { replyTo } : {}), ...(attachments.length > 0 ? { attachments } : {}) };
  await enqueueMails(client, [{ identityId, kind: 'reply', messageId, messageIdHeader, subject, mail }]);
}
