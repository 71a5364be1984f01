import { randomUUID } from 'node:crypto';
import { notify } from '@/server/features/notifications/notification.service';
import { flushSecurityLog, noteSecurityEvent } from '@/server/platform/auth/security-log';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { transaction } from '@/server/platform/db/transaction';
import { callerAs } from './caller';
import { createTestIdentity, type TestIdentity } from './identity';
import { deliver } from './mail';
import { smallPicture } from './operations';

/**
 * A business with every kind of data, whose texts all contain a marker that occurs nowhere else: a response with the marker, or
 * with the id of one of its rows, has leaked its data.
 */

/**
 * In lower case, so that it can be part of handles and addresses; the text beside it can be searched for without sending the
 * marker.
 */
export const marker = 'zqvictimzq';
const words = `secret ${marker}`;
const domain = `${marker}.example`;

export interface Victim {
  identity: TestIdentity;
  /** One id of each kind, by the name of its parameter, and further values that can be sent. */
  known: {
    [name in
      | ('id' | 'guid' | 'agentId' | 'conversationId' | 'attachmentId' | 'postId' | 'eventId' | 'messageId' | 'mailId')
      | (
          | 'quarantinedId'
          | 'apiKeyId'
          | 'sessionId'
          | 'passkeyId'
          | 'customerEmail'
          | 'address'
          | 'pictureUrl'
          | 'slug'
          | 'auditEntryId'
          | 'webhookId'
          | 'deliveryId'
          | 'invitationId'
          | 'memberId'
          | 'notificationId'
        )]: string;
  };
  /** Every id of its rows, and its secret calendar URL; in lower case. */
  ids: readonly string[];
}

const patterns = (victim: Pick<TestIdentity, 'identityId' | 'owner'>) =>
  [victim.identityId, victim.owner.userId, marker].map((text) => `%${text}%`);

async function tables(): Promise<string[]> {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Every UUID in its rows. */
async function idsOf(identity: TestIdentity): Promise<string[]> {
  const found = new Set<string>([identity.identityId, identity.owner.userId]);
  for (const table of await tables()) {
    const { rows } = await pool().query<{ row: string }>(`SELECT t::text AS row FROM ${table} t WHERE t::text LIKE ANY($1)`, [
      patterns(identity),
    ]);
    for (const { row } of rows) for (const [id] of row.matchAll(uuids)) found.add(id);
  }
  return [...found];
}

/** A version of a row. */
interface RowVersion {
  table: string;
  /** Where it is, and the transaction that wrote it: another version has another place. */
  place: string;
  /** Its text, if it was written after `since`. */
  row: string | null;
}

/** All rows, with the texts of those that were written after the oldest transaction that was open when `since` was read. */
async function rowVersions(since: string): Promise<{ versions: RowVersion[]; until: string }> {
  const all = (await tables()).map(
    (table) => `SELECT '${table}' AS table, t.tableoid || ' ' || t.ctid::text || ' ' || t.xmin::text AS place,
      CASE WHEN t.xmin::text::bigint >= $1 THEN t::text END AS row FROM ${table} t`,
  );
  const { rows } = await pool().query<{ until: string }>('SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS until');
  const found = await pool().query<RowVersion>(all.join(' UNION ALL '), [since]);
  return { versions: found.rows, until: rows[0]?.until ?? '0' };
}

/**
 * Watches the victim's rows: every row that contains one of its ids or texts in any column.
 *
 * @returns a function that names the tables in which rows of the victim were added, changed or removed since it was called
 * before. Rows that contain one of `others` are no change: they may have recorded an id that was sent.
 */
export async function watchRows({ identity, ids }: Victim): Promise<(others: readonly string[]) => Promise<string[]>> {
  const texts = [identity.identityId, identity.owner.userId, marker, ...ids];
  const isTheirs = ({ row }: RowVersion) => row !== null && texts.some((text) => row.includes(text));
  const first = await rowVersions('0');
  let since = first.until;
  let known = new Set(first.versions.map(({ place }) => place));
  const theirs = new Map(first.versions.filter(isTheirs).map(({ place, table }) => [place, table]));
  return async (others) => {
    const { versions, until } = await rowVersions(since);
    // Transactions that were open before, also in other databases, have rows read again that were looked at then.
    const added = versions.filter(
      (version) => !known.has(version.place) && isTheirs(version) && !others.some((id) => version.row?.includes(id)),
    );
    since = until;
    known = new Set(versions.map(({ place }) => place));
    const removed = [...theirs].filter(([place]) => !known.has(place));
    for (const [place] of removed) theirs.delete(place);
    for (const { place, table } of added) theirs.set(place, table);
    return [...new Set([...added.map(({ table }) => table), ...removed.map(([, table]) => table)])].sort();
  };
}

/** Mail with an attachment, and unreadable mail. */
async function receiveMail(address: string, identityId: string) {
  const { conversationId, messageId } = await deliver(
    {
      headers: {
        From: `${words} <ann@${domain}>`,
        Subject: `Subject ${words}`,
        'Content-Type': `text/plain; name="${marker}.txt"`,
        'Content-Disposition': `attachment; filename="${marker}.txt"`,
      },
      body: `Body ${words}`,
    },
    { to: address },
  );
  const text = await deliver(
    { headers: { From: `${words} <ann@${domain}>`, Subject: `Subject ${words}` }, body: `Body ${words}` },
    { to: address },
  );
  const quarantined = await prisma().quarantinedMail.create({
    data: {
      ...{ identityId, reason: 'unparsable', detail: words, source: 'smtp', sender: `ann@${domain}`, recipients: [address] },
      ...{ size: 1, sha256: 'a'.repeat(64), isTruncated: false },
    },
  });
  const { id: attachmentId } = await prisma().attachment.findFirstOrThrow({ where: { messageId } });
  return {
    conversationId: text.conversationId,
    withFile: conversationId,
    messageId,
    attachmentId,
    quarantinedId: quarantined.id,
  };
}

/** Creates the victim; once per database. */
export async function createVictim(): Promise<Victim> {
  const address = `desk@${domain}`;
  const whitelist = [{ handle: 'sales', address: `sales@${domain}`, description: words }];
  const identity = await createTestIdentity({ handle: `${marker}-shop`, ownerEmail: `owner@${domain}`, address, whitelist });
  const { actor, identityId } = identity;
  await prisma().session.create({ data: { id: actor.sessionId, userId: actor.userId, userAgent: words } });
  const passkey = await prisma().passkey.create({
    data: {
      ...{ userId: actor.userId, name: words, credentialId: Buffer.from(marker), publicKey: Buffer.from(marker) },
      ...{ transports: [], rpId: domain, aaguid: randomUUID(), isBackupEligible: false, isBackedUp: false },
    },
  });
  const owner = callerAs(actor);
  const services = [{ name: words, description: words, price: 1, currency: 'EUR', billingInterval: 'monthly' as const }];
  await owner.identity.update({
    displayName: words,
    profile: { tagline: words, about: words, website: `https://${domain}/`, services },
  });
  const customerEmail = `ann@${domain}`;
  const customer = await owner.customers.create({
    contacts: [{ email: customerEmail, displayName: words }, { email: `bob@${domain}` }],
    ...{ company: words, phone: marker, tags: ['secret', marker], notes: words, metadata: { words } },
  });
  const agent = await owner.agents.create({ name: words, roleId: `${marker}-role` });
  const agentId = agent.id;
  await prisma().agentAddress.create({ data: { identityId, agentId, address: `earlier@${domain}` } });
  await owner.agents.update({ agentId, tags: [marker], persona: { bio: words, signature: words } });
  await owner.agents.updateHitl({ agentId, routes: [{ level: 1, label: words, instructions: words, toRole: marker }] });
  const mail = await receiveMail(address, identityId);
  await owner.conversations.reply({ conversationId: mail.conversationId, text: words, agentId });
  await owner.conversations.addNote({ conversationId: mail.conversationId, text: words });
  const picture = await owner.blog.uploadImage({ content: smallPicture });
  const post = await owner.blog.create({
    ...{
      title: `Post ${words}`,
      content: words,
      authorName: words,
      slug: `${marker}-post`,
      excerpt: words,
      tags: ['secret', marker],
    },
    ...{ metaDescription: words, authorAgentId: agentId },
  });
  const times = { startTime: '2026-11-24T09:00:00Z', endTime: '2026-11-24T10:00:00Z' };
  const { event } = await owner.calendar.create({
    ...{ ...times, title: `Event ${words}`, description: words, location: words, agentId },
    virtualMeeting: { provider: 'zoom', url: `https://${domain}/`, password: marker },
    invitees: [{ email: customerEmail, name: words }],
  });
  const webhook = await owner.webhooks.create({ url: `https://8.8.8.8/${marker}`, events: ['*'], description: words });
  const { id: deliveryId } = await owner.webhooks.test({ webhookId: webhook.id, type: 'customer.created' });
  // So that its answer shows the victim's texts.
  await pool().query('UPDATE webhook_deliveries SET error = $2 WHERE id = $1', [deliveryId, words]);
  const { url: feedUrl } = await owner.calendar.renewFeed({});
  if (!feedUrl) throw new Error('set PUBLIC_URL, so that there is a feed');
  const { apiKey } = await owner.apiKeys.create({ name: words });
  await owner.usage.track({ type: 'agent_execution', agentId, status: 'completed', operation: words, taskId: marker });
  await owner.usage.track({ type: 'token_usage', totalTokens: 7, model: words, agentId });
  const { id: invitationId } = await owner.members.invite({ email: `invited@${domain}`, role: 'member' });
  const member = await prisma().user.create({
    data: {
      email: `member@${domain}`,
      displayName: words,
      passwordHash: 'none',
      memberships: { create: { identityId, role: 'member' } },
    },
  });
  const notification = { identityId, kind: 'assigned', conversationId: mail.conversationId, title: () => words } as const;
  await transaction({ kind: 'system', cause: 'upkeep' }, (client) =>
    notify(client, { ...notification, recipients: [actor.userId], dedupeKey: marker }, { kind: 'system', cause: 'upkeep' }),
  );
  const { id: notificationId } = await prisma().notification.findFirstOrThrow({ where: { identityId } });
  await prisma().notificationSettings.create({ data: { identityId, userId: actor.userId } });
  const browser = {
    userId: actor.userId,
    sessionId: actor.sessionId,
    endpoint: `https://8.8.8.8/${marker}`,
    p256dh: '',
    auth: '',
  };
  await prisma().pushSubscription.create({ data: browser });
  noteSecurityEvent({
    ...{ kind: 'sign_in_failed', reason: 'wrong_password', userId: actor.userId },
    ...{ account: `owner@${domain}`, address: '192.0.2.1' },
  });
  await flushSecurityLog();
  const { emails } = await owner.mail.outbox({});
  // The newest entry, whose values before can be asked for.
  await owner.customers.update({ id: customer.id, notes: `Newer ${words}` });
  const { entries } = await owner.audit.list({});
  return {
    identity,
    known: {
      ...{ id: customer.id, guid: customer.contacts[0]?.guid ?? '', agentId, postId: post.data.post.id, eventId: event.id },
      ...{ conversationId: mail.conversationId, attachmentId: mail.attachmentId, messageId: mail.messageId },
      ...{ quarantinedId: mail.quarantinedId, mailId: emails[0]?.id ?? '', apiKeyId: apiKey.id, sessionId: actor.sessionId },
      ...{
        passkeyId: passkey.id,
        customerEmail,
        address,
        pictureUrl: picture.data.image.url,
        slug: `${marker}-post`,
        auditEntryId: entries[0]?.id ?? '',
        webhookId: webhook.id,
        deliveryId,
        invitationId,
        memberId: member.id,
        notificationId,
      },
    },
    ids: [...(await idsOf(identity)), feedUrl.toLowerCase()],
  };
}
