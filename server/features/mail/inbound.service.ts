import type pg from 'pg';
import { networkOf } from '@/server/platform/auth/client-network';
import { pool } from '@/server/platform/db/pool';
import { transaction } from '@/server/platform/db/transaction';
import { AppError } from '@/server/platform/errors';
import { log } from '@/server/platform/log';
import { parseMail } from '@/server/platform/mail/mail-parser';
import { type ParsedMail, UnparsableMail } from '@/server/platform/mail/parsed-mail';
import type { RawMail } from '@/server/platform/mail/raw-mail';
import { type MailedAnswer, readMailedAnswers, recordMailedAnswers } from '../calendar/reply.service';
import { conversationChanges } from '../conversations/conversation-changes.service';
import { type StoredMail, storeInboundMail } from '../conversations/ingest.service';
import { ownAddresses, type Route, routeRecipients } from '../own-addresses/own-address.service';
import { forEachWithinQuota, requireStorage } from '../usage/quota.service';
import { countFromSender } from '../usage/sender-quota.service';
import { recordBounce } from './bounce.service';
import { type Envelope, type QuarantineReason, quarantineMail } from './quarantine.service';

export interface Delivery extends StoredMail {
  identityId: string;
}

/** Result of receiving a message: stored for each recipient identity, or quarantined for each. */
export type Reception = { kind: 'stored'; deliveries: Delivery[] } | { kind: 'quarantined'; quarantineIds: string[] };

/** A mailbox of another server that a message was found in. */
export interface SourceMailbox {
  identityId: string;
  /** Its address, for messages that name none of the business. */
  address: string;
}

interface ReceiveOptions {
  /** Defaults to now. */
  receivedAt?: Date;
  /** The message is for the business that has this mailbox, and for no other. */
  mailbox?: SourceMailbox;
  /** It was read, and dealt with, before it came here. */
  isSettled?: boolean;
}

/**
 * Receives a message from SMTP, HTTP or a mailbox: route, parse, store. The message is durable on return. An unreadable message is
 * quarantined, so that it is not delivered again; a temporary failure throws, and the sending server retries.
 *
 * @param envelope its recipients; if empty, those of the message's own headers are used
 * @throws AppError unknown_recipient if no recipient is known; quota_exceeded if the storage of one of them is full, or the
 *   sender has sent it too much today; after storing it for the others, so a retry stores it for the missing ones only
 */
export async function receiveMail(raw: RawMail, envelope: Envelope, options: ReceiveOptions = {}): Promise<Reception> {
  const { mailbox, receivedAt, isSettled = false } = options;
  const named = mailbox ? ownRoute(mailbox) : await routeRecipients(pool(), envelope.recipients);
  if (envelope.recipients.length > 0 && named.size === 0) throw unknownRecipient(envelope.recipients);
  if (raw.isTruncated) {
    if (named.size === 0) throw new AppError('payload_too_large', `A message may have at most ${raw.size} bytes.`);
    const detail = `The message is larger than ${raw.size} bytes. Only the beginning was kept.`;
    return quarantine(named, raw, envelope, { reason: 'too_large', detail });
  }
  const parsed = await tryParse(raw, envelope);
  if (parsed instanceof UnparsableMail) {
    if (named.size === 0) throw new AppError('unknown_recipient', 'The message can’t be read, and nobody said whom it is for.');
    return quarantine(named, raw, envelope, { reason: 'unparsable', detail: parsed.message });
  }
  const routes = mailbox || named.size === 0 ? await routesInHeaders(parsed, mailbox) : named;
  if (routes.size === 0) throw unknownRecipient(headerRecipients(parsed));
  const isAutoReply = parsed.isAutoReply || envelope.sender === '';
  try {
    return await store(parsed, routes, { isAutoReply, envelope, size: raw.size, receivedAt, isSettled });
  } catch (error) {
    if (!isDataError(error)) throw error;
    log().error({ err: error, sha256: raw.sha256 }, 'a message could not be stored');
    const detail = 'The message has content that could not be stored.';
    return quarantine(routes, raw, envelope, { reason: 'unparsable', detail });
  }
}

const ownRoute = ({ identityId, address }: SourceMailbox) => new Map<string, Route>([[address, { identityId, agentId: null }]]);

async function routesInHeaders(parsed: ParsedMail, mailbox: SourceMailbox | undefined): Promise<Map<string, Route>> {
  const routes = await routeRecipients(pool(), headerRecipients(parsed));
  if (!mailbox) return routes;
  const own = [...routes].filter(([, { identityId }]) => identityId === mailbox.identityId);
  return own.length > 0 ? new Map(own) : ownRoute(mailbox);
}

function unknownRecipient(recipients: readonly string[]): AppError {
  const message =
    recipients.length > 0 ? `Nobody here has the address ${recipients.join(', ')}.` : 'The message names no recipient.';
  return new AppError('unknown_recipient', message.slice(0, 500));
}

async function tryParse(raw: RawMail, { clientAddress }: Envelope): Promise<ParsedMail | UnparsableMail> {
  try {
    return await parseMail(raw, clientAddress === undefined ? '' : networkOf(clientAddress));
  } catch (error) {
    if (error instanceof UnparsableMail) return error;
    throw error;
  }
}

function headerRecipients({ deliveredTo, to, cc }: ParsedMail): string[] {
  return [...deliveredTo, ...[...to, ...cc].map(({ email }) => email)].filter((email) => email !== '');
}

/** PostgreSQL errors caused by the data itself (classes 22 and 54, and check constraints); a retry would fail the same way. */
function isDataError(error: unknown): boolean {
  return /^(22|54|23514)/.test((error as { code?: string }).code ?? '');
}

function identitiesOf(routes: Map<string, Route>): string[] {
  return [...new Set([...routes.values()].map(({ identityId }) => identityId))].sort();
}

/** The addresses of one identity among all recipients. */
function addressesOf(routes: Map<string, Route>, identityId: string): string[] {
  return [...routes].filter(([, route]) => route.identityId === identityId).map(([email]) => email);
}

async function quarantine(
  routes: Map<string, Route>,
  raw: RawMail,
  envelope: Envelope,
  reason: QuarantineReason,
): Promise<Reception> {
  // Each identity sees only its own addresses: the others may be blind copies.
  const shares = identitiesOf(routes).map((identityId) => ({ identityId, recipients: addressesOf(routes, identityId) }));
  const quarantineIds = await quarantineMail(shares, raw, envelope, reason);
  log().warn({ quarantineIds, reason: reason.reason, size: raw.size }, 'message quarantined');
  return { kind: 'quarantined', quarantineIds };
}

/** Mail comes from outside: whoever its sender says to be is not proven. */
const receiver = { kind: 'system', cause: 'mail' } as const;

interface DeliveryContext {
  isAutoReply: boolean;
  envelope: Envelope;
  /** Of the message as it came, in bytes. */
  size: number;
  receivedAt: Date | undefined;
  isSettled: boolean;
}

async function store(
  mail: ParsedMail,
  routes: Map<string, Route>,
  { isAutoReply, envelope, size, receivedAt, isSettled }: DeliveryContext,
): Promise<Reception> {
  const answers = await readMailedAnswers(mail);
  // One transaction, since the sending server gets one result for the message: all identities have it or none, except those
  // without space.
  const { done: deliveries, refusal } = await transaction(receiver, (client) =>
    forEachWithinQuota(client, identitiesOf(routes), async (identityId): Promise<Delivery> => {
      const stored = await storeFor(client, identityId, { mail, routes, isAutoReply, receivedAt, isSettled, answers });
      if (stored.isNew) {
        await requireStorage(client, identityId);
        await countFromSender(client, identityId, envelope, size);
      }
      return { identityId, ...stored };
    }),
  );
  log().info({ deliveries: deliveries.map(({ messageId, isNew }) => ({ messageId, isNew })) }, 'message stored');
  if (refusal) throw refusal;
  return { kind: 'stored', deliveries };
}

interface StoreRequest {
  mail: ParsedMail;
  routes: Map<string, Route>;
  isAutoReply: boolean;
  receivedAt: Date | undefined;
  isSettled: boolean;
  answers: MailedAnswer[];
}

async function storeFor(
  client: pg.PoolClient,
  identityId: string,
  { mail, routes, isAutoReply, receivedAt, isSettled, answers }: StoreRequest,
): Promise<StoredMail> {
  const mine = [...routes].filter(([, route]) => route.identityId === identityId);
  const agentIds = mine.flatMap(([, { agentId }]) => (agentId === null ? [] : [agentId]));
  // A business address says more about the purpose than an agent's address in copy.
  const origin = mine.find(([, { agentId }]) => agentId === null) ?? mine[0];
  const own = await ownAddresses(client, identityId);
  await recordMailedAnswers(client, identityId, answers);
  const changes = conversationChanges(client, identityId, own);
  const inbound = {
    identityId,
    own,
    mail,
    isAutoReply,
    originAddress: origin?.[0] ?? '',
    recipients: addressesOf(routes, identityId),
    agentIds: [...new Set(agentIds)],
    receivedAt,
    isSettled,
  };
  const stored = await storeInboundMail(client, inbound, changes);
  if (stored.isNew && mail.report) await recordBounce(client, identityId, mail.report, changes);
  await changes.write(receiver);
  return stored;
}
