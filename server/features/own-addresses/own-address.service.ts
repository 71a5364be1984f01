import { addressClaims, whitelistedAddresses } from '@/server/features/addresses/address.sql';
import { agentAddresses, agents } from '@/server/features/agents/agent.sql';
import { mailboxAddresses } from '@/server/features/mailboxes/mailbox.sql';
import { identities } from '@/server/platform/auth/accounts.sql';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { env } from '@/server/platform/env';
import { normalizeAddress } from '@/server/platform/mail/mail-addresses';
import { listMailAgents, type MailAgent } from './agent-address.service';

/** All proven addresses of an identity, in lower case. */
export interface OwnAddresses {
  displayName: string | null;
  /** Its mailbox address. */
  address: string | null;
  whitelisted: string[];
  /** Of mailboxes whose email is taken over. They need not be proven. */
  read: string[];
  /** Those of them by whose servers emails are sent, and by no other one. */
  sending: string[];
  agents: MailAgent[];
  /** True for any of them. */
  has(email: string): boolean;
}

/** All addresses at which an agent receives mail, the current one first. */
export function addressesOfAgent({ email, isReached, earlier }: MailAgent): string[] {
  return isReached ? [email, ...earlier] : earlier;
}

interface OwnAddressesRow {
  displayName: string | null;
  address: string | null;
  whitelisted: string[];
  read: string[];
  sending: string[];
}

/** The addresses of an identity; runs two statements. */
export async function ownAddresses(db: Queryable, identityId: string): Promise<OwnAddresses> {
  const [identity] = await rows<OwnAddressesRow>(db, {
    name: 'own-addresses',
    text: `SELECT display_name AS "displayName", address, ARRAY(
        SELECT address FROM ${whitelistedAddresses} whitelisted_addresses WHERE identity_id = $1 AND status = 'proven' ORDER BY created_at, id
      ) AS whitelisted, ARRAY(
        SELECT address FROM ${mailboxAddresses} mailboxes WHERE identity_id = $1 GROUP BY address ORDER BY min(created_at), address
      ) AS read, ARRAY(
        SELECT address FROM ${mailboxAddresses} mailboxes WHERE identity_id = $1 AND sends GROUP BY address ORDER BY min(created_at), address
      ) AS sending
      FROM ${identities} identities WHERE id = $1`,
    values: [identityId],
  });
  const agents = await listMailAgents(db, identityId);
  const { displayName = null, address = null, whitelisted = [], read = [], sending = [] } = identity ?? {};
  const all = new Set([...(address === null ? [] : [address]), ...whitelisted, ...read, ...agents.flatMap(addressesOfAgent)]);
  return { displayName, address, whitelisted, read, sending, agents, has: (email) => all.has(email.toLowerCase()) };
}

/** The destination of an address. */
export interface Route {
  identityId: string;
  /** The agent with this address, if any. */
  agentId: string | null;
}

/** Invalid in addresses, and NUL can't be stored. */
const controlCharacter = /\p{Cc}/u;

interface RouteRow extends Route {
  email: string;
}

/**
 * Routes recipients (contract section 6): to the identity that has the address as its own, a proven further one, or an agent's.
 * Unknown ones are missing from the result, whose keys are in lower case with ASCII domains.
 */
export async function routeRecipients(db: Queryable, recipients: readonly string[]): Promise<Map<string, Route>> {
  const given = new Set(recipients.map((recipient) => normalizeAddress(recipient.trim().toLowerCase())));
  const asked = [...given].filter((email) => email.includes('@') && !controlCharacter.test(email));
  if (asked.length === 0) return new Map();
  // An identity's own or further address takes precedence over an agent with the same local part.
  const found = await rows<RouteRow>(db, {
    name: 'route-recipients',
    text: `SELECT c.address AS email, c.identity_id AS "identityId", a.id AS "agentId"
      FROM ${addressClaims} c JOIN ${identities} i ON i.id = c.identity_id
        LEFT JOIN LATERAL (
          SELECT a.id FROM ${agents} a
          WHERE a.identity_id = i.id AND a.role_id = split_part(c.address, '@', 1) AND a.mail_domain = split_part(c.address, '@', 2)
          UNION ALL SELECT e.agent_id FROM ${agentAddresses} e WHERE e.identity_id = i.id AND e.address = c.address
          LIMIT 1
        ) a ON c.address IS DISTINCT FROM i.address
          AND NOT EXISTS (SELECT 1 FROM ${whitelistedAddresses} w WHERE w.identity_id = i.id AND w.address = c.address AND w.status = 'proven')
      WHERE c.address = ANY($1)`,
    values: [asked],
  });
  return new Map(found.map(({ email, identityId, agentId }) => [email, { identityId, agentId }]));
}

export interface Sender {
  email: string;
  displayName: string | null;
  reason: 'contextual' | 'identity' | 'whitelisted' | 'mailbox' | 'agent' | 'fallback';
}

/**
 * The possible sender addresses of a reply, the preselected one first: the address the customer wrote to, if it is still ours;
 * else the identity's own, a further one or that of a mailbox that sends; else, for an identity without an own address, the operator's
 * MAIL_FROM; else an agent's. An agent's earlier address is one only where the customer wrote to it.
 *
 * @param originAddress the address the conversation came in at
 */
export function sendersOf(own: OwnAddresses, originAddress: string | null): Sender[] {
  const { displayName } = own;
  const fallback = env().MAIL_FROM;
  const all: Sender[] = [
    ...(own.address === null ? [] : [{ email: own.address, displayName, reason: 'identity' as const }]),
    ...own.whitelisted.map((email) => ({ email, displayName, reason: 'whitelisted' as const })),
    ...own.sending
      .filter((email) => email !== own.address && !own.whitelisted.includes(email))
      .map((email) => ({ email, displayName, reason: 'mailbox' as const })),
    ...(own.address === null && fallback
      ? [{ email: fallback.email, displayName: displayName ?? fallback.displayName, reason: 'fallback' as const }]
      : []),
    ...own.agents
      .filter(({ status }) => status !== 'archived')
      .flatMap((agent) =>
        addressesOfAgent(agent)
          .filter((email) => email === agent.email || email === originAddress)
          .map((email) => ({ email, displayName: agent.name, reason: 'agent' as const })),
      ),
  ];
  const contextual = all.find(({ email }) => email === originAddress);
  if (!contextual) return all;
  return [{ ...contextual, reason: 'contextual' }, ...all.filter((sender) => sender !== contextual)];
}
