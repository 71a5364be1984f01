import { messages } from '@/server/features/conversations/conversation.sql';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { rows } from '@/server/platform/db/sql';
import { env } from '@/server/platform/env';
import { openStatuses } from '../addresses/address-claim.service';
import { countOutbox, problemsOf } from '../outbox/outbox.service';
import { addressesOfAgent, ownAddresses, sendersOf } from '../own-addresses/own-address.service';
import type { MailStatus } from './status.schema';

/** Host and port only: the rest of the URL contains credentials. */
function serverOf(url: string | undefined): string | null {
  return url === undefined ? null : new URL(url).host;
}

/** A host that public DNS can resolve: no IP address and no local name. */
function publicHost(): string | null {
  const { PUBLIC_URL } = env();
  if (!PUBLIC_URL) return null;
  const { hostname } = new URL(PUBLIC_URL);
  const isName = /\.[a-z][a-z0-9-]*$/i.test(hostname) && !/\.(?:localhost|local|internal|test)$/i.test(hostname);
  return isName ? hostname : null;
}

interface PastMail {
  at: string;
  subject: string;
}

async function lastSent(identityId: string): Promise<PastMail | null> {
  const [mail] = await rows<PastMail>(pool(), {
    name: 'mail-status-sent',
    isoTimes: true,
    text: `SELECT coalesce(sent_at, created_at) AS at, subject FROM outbox_mails
      WHERE identity_id = $1 AND state = 'sent' ORDER BY id DESC LIMIT 1`,
    values: [identityId],
  });
  return mail ?? null;
}

interface FailedRow extends PastMail {
  error: string | null;
  refusals: Record<string, string>;
  willRetry: boolean;
}

/** The latest failed mail or the latest one waiting for a retry, whichever was tried last. */
async function lastFailure(identityId: string): Promise<MailStatus['outbound']['lastFailure']> {
  const newest = (condition: string) => `(
    SELECT coalesce(last_attempt_at, created_at) AS at, subject, error, refusals, state = 'queued' AS "willRetry" FROM outbox_mails
    WHERE identity_id = $1 AND ${condition} ORDER BY id DESC LIMIT 1
  )`;
  const [mail] = await rows<FailedRow>(pool(), {
    name: 'mail-status-failed',
    isoTimes: true,
    text: `${newest(`state = 'failed'`)} UNION ALL ${newest(`state = 'queued' AND error IS NOT NULL`)} ORDER BY at DESC LIMIT 1`,
    values: [identityId],
  });
  if (!mail) return null;
  const { at, subject, willRetry } = mail;
  return { at, subject, willRetry, error: problemsOf(mail) ?? 'The email could not be delivered.' };
}

async function lastReceived(identityId: string): Promise<MailStatus['inbound']['lastReceived']> {
  const [mail] = await rows<PastMail & { from: string }>(pool(), {
    name: 'mail-status-received',
    isoTimes: true,
    text: `SELECT coalesce(received_at, created_at) AS at, subject, from_email AS "from" FROM ${messages} messages
      WHERE identity_id = $1 AND direction = 'inbound' ORDER BY id DESC LIMIT 1`,
    values: [identityId],
  });
  return mail ?? null;
}

const proven = 'proven' as const;

/** Status of inbound and outbound mail: the installation's settings, and the outcome of this business' last mails. */
export async function getMailStatus({ identityId }: IdentityActor): Promise<MailStatus> {
  const { SMTP_URL, INBOUND_SMTP_PORT, INBOUND_SECRET, INBOUND_TLS_CERT } = env();
  const own = await ownAddresses(pool(), identityId);
  const [counts, sent, failure, received] = await Promise.all([
    countOutbox(identityId),
    lastSent(identityId),
    lastFailure(identityId),
    lastReceived(identityId),
  ]);
  const open = await openStatuses(prisma(), identityId);
  const agents = own.agents.filter(({ status }) => status !== 'archived');
  return {
    outbound: {
      server: serverOf(SMTP_URL),
      mailboxes: own.sending,
      sender: sendersOf(own, null)[0]?.email ?? null,
      lastSent: sent,
      lastFailure: failure,
      queued: counts.queued + counts.sending,
      failed: counts.failed,
    },
    inbound: {
      mailboxes: own.read,
      smtpPort: INBOUND_SMTP_PORT ?? null,
      isEncrypted: INBOUND_TLS_CERT !== undefined,
      acceptsHttp: INBOUND_SECRET !== undefined,
      lastReceived: received,
    },
    addresses: [
      ...(own.address === null ? [] : [{ email: own.address, kind: 'identity' as const, agent: null, status: proven }]),
      ...own.whitelisted.map((email) => ({ email, kind: 'whitelisted' as const, agent: null, status: proven })),
      ...agents.flatMap((agent) =>
        addressesOfAgent(agent).map((email) => ({ email, kind: 'agent' as const, agent: agent.name, status: proven })),
      ),
      ...[...open].map(([email, status]) => ({ email, kind: 'whitelisted' as const, agent: null, status })),
    ],
    domain: (own.address ?? own.whitelisted[0])?.split('@')[1] ?? null,
    host: publicHost(),
  };
}
