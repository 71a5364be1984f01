import { type Queryable, rows } from '@/server/db/sql';
import { env } from '@/server/env';
import { normalizeAddress } from '@/server/mail/mail-addresses';
import { findAddressedAgents, listMailAgents, type MailAgent } from '../agents/agent-address.service';

/** Every address that is an identity's own, in lower case. */
export interface OwnAddresses {
  displayName: string | null;
  /** Its mailbox address. */
  address: string | null;
  whitelisted: string[];
  agents: MailAgent[];
  /** True for any of them. */
  has(email: string): boolean;
}

/** The agents whose addresses are the identity's own. */
export function reached(agents: readonly MailAgent[]): MailAgent[] {
  return agents.filter(({ isReached }) => isReached);
}

interface OwnAddressesRow {
  displayName: string | null;
  address: string | null;
  whitelisted: string[];
}

/** The addresses of an identity; two statements. */
export async function ownAddresses(db: Queryable, identityId: string): Promise<OwnAddresses> {
  const [identity] = await rows<OwnAddressesRow>(db, {
    name: 'own-addresses',
    text: `SELECT display_name AS "displayName", address, ARRAY(
        SELECT address FROM whitelisted_addresses WHERE identity_id = $1 ORDER BY created_at, id
      ) AS whitelisted
      FROM identities WHERE id = $1`,
    values: [identityId],
  });
  const agents = await listMailAgents(db, identityId);
  const { displayName = null, address = null, whitelisted = [] } = identity ?? {};
  const all = new Set([...(address === null ? [] : [address]), ...whitelisted, ...reached(agents).map(({ email }) => email)]);
  return { displayName, address, whitelisted, agents, has: (email) => all.has(email.toLowerCase()) };
}

/** Where mail to an address goes. */
export interface Route {
  identityId: string;
  /** The agent it is addressed to, if it is one's. */
  agentId: string | null;
}

/** What no address has, and no database stores. */
const controlCharacter = /\p{Cc}/u;

interface DirectRow {
  email: string;
  identityId: string;
}

/**
 * Routes recipients (contract section 6): to an identity's own address, else a whitelisted one, else an agent's. Unknown ones are
 * missing from the result, whose keys are in lower case and their domains in ASCII.
 */
export async function routeRecipients(db: Queryable, recipients: readonly string[]): Promise<Map<string, Route>> {
  const given = new Set(recipients.map((recipient) => normalizeAddress(recipient.trim().toLowerCase())));
  const asked = [...given].filter((email) => email.includes('@') && !controlCharacter.test(email));
  if (asked.length === 0) return new Map();
  const direct = await rows<DirectRow>(db, {
    name: 'route-direct',
    text: `SELECT address AS email, identity_id AS "identityId" FROM whitelisted_addresses WHERE address = ANY($1)
      UNION ALL SELECT address, id FROM identities WHERE address = ANY($1)`,
    values: [asked],
  });
  // The identity's own address comes last and so wins, should an old whitelisted address be the same.
  const routes = new Map<string, Route>(direct.map(({ email, identityId }) => [email, { identityId, agentId: null }]));
  const others = asked.filter((email) => !routes.has(email));
  if (others.length === 0) return routes;
  for (const { email, identityId, agentId } of await findAddressedAgents(db, others)) routes.set(email, { identityId, agentId });
  return routes;
}

export interface Sender {
  email: string;
  displayName: string | null;
  reason: 'contextual' | 'identity' | 'whitelisted' | 'agent' | 'fallback';
}

/**
 * The addresses a reply may come from, the preselected one first: where they wrote to, if that still is an address of ours; else the
 * identity's own; else, for an identity without addresses, the operator's MAIL_FROM; else an agent's.
 *
 * @param originAddress where the conversation came in
 */
export function sendersOf(own: OwnAddresses, originAddress: string | null): Sender[] {
  const { displayName } = own;
  const fallback = env().MAIL_FROM;
  const all: Sender[] = [
    ...(own.address === null ? [] : [{ email: own.address, displayName, reason: 'identity' as const }]),
    ...own.whitelisted.map((email) => ({ email, displayName, reason: 'whitelisted' as const })),
    ...(own.address === null && fallback
      ? [{ email: fallback.email, displayName: displayName ?? fallback.displayName, reason: 'fallback' as const }]
      : []),
    ...reached(own.agents)
      .filter(({ status }) => status !== 'archived')
      .map(({ email, name }) => ({ email, displayName: name, reason: 'agent' as const })),
  ];
  const contextual = all.find(({ email }) => email === originAddress);
  if (!contextual) return all;
  return [{ ...contextual, reason: 'contextual' }, ...all.filter((sender) => sender !== contextual)];
}
