import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createIdentityInput } from '@/server/features/accounts/account.schema';
import { createIdentity } from '@/server/features/accounts/account.service';
import { addWhitelistedAddress } from '@/server/features/addresses/further-address.service';
import { createAgent, listAgents, updateAgent } from '@/server/features/agents/agent.service';
import { updateEscalation } from '@/server/features/agents/escalation.service';
import { createApiKey } from '@/server/features/api-keys/api-key.service';
import { contactGuid } from '@/server/features/customers/contact-guid';
import type { CreateCustomerInput } from '@/server/features/customers/customer.schema';
import { createCustomer, getCustomerByContact } from '@/server/features/customers/customer.service';
import { updateIdentity } from '@/server/features/identity/identity.service';
import type { SystemActor } from '@/server/platform/actor';
import { authenticateApiKey } from '@/server/platform/auth/api-key';
import { verifyPassword } from '@/server/platform/auth/password';
import { closeConnection } from '@/server/platform/db/connection';
import { findEmbeddedPostgres } from '@/server/platform/db/embedded-postgres';
import { openConnection } from '@/server/platform/db/own-connection';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { env } from '@/server/platform/env';
import { type DemoAgent, demoAgents } from './agents';
import { seedBlog } from './blog';
import { business, pendingAddress, profile } from './business';
import { seedCalendar } from './calendar';
import { demoCustomers } from './customers';
import { seedMail } from './mail';
import { seedNotes } from './notes';
import { settleNotifications } from './notifications';
import { ensureWebhooks, seedPrograms, startReceiver } from './programs';
import { seededRandom } from './random';
import { seedSnippets } from './snippets';
import { demoOwner, ensureTeam } from './team';
import { seedUsage } from './usage';

/**
 * The demo's data, written through the services. Every step looks first whether it has been done, so a demo killed half-way is
 * completed by the next start, and a finished one is left as its visitor made it.
 */

interface DemoState {
  password: string;
  /** Token of the key in the printed curl line. */
  apiKey: string | null;
  /** Where webhooks are taken (programs.ts); 0 until then. */
  receiverPort: number;
  complete: boolean;
}

const customerCount = 320;

function stateFile(): string {
  return path.join(env().DATA_DIR, 'demo.json');
}

const start: DemoState = { password: '', apiKey: null, receiverPort: 0, complete: false };

function readState(): DemoState {
  try {
    return { ...start, ...(JSON.parse(readFileSync(stateFile(), 'utf8')) as DemoState) };
  } catch {
    return { ...start, password: randomBytes(9).toString('base64url') };
  }
}

function writeState(state: DemoState): void {
  const draft = `${stateFile()}.new`;
  writeFileSync(draft, JSON.stringify(state), { mode: 0o600 });
  renameSync(draft, stateFile());
}

async function ensureIdentity(password: string): Promise<SystemActor> {
  const { handle, displayName, address, ownerEmail, whitelist } = business;
  const existing = await prisma().identity.findUnique({ where: { handle }, select: { id: true } });
  if (existing) return { kind: 'system', identityId: existing.id };
  const input = {
    handle,
    displayName,
    address,
    ownerEmail,
    whitelist,
    ownerPassword: password,
    scope: 'business',
    plan: 'small_business',
  };
  const { identityId } = await createIdentity(createIdentityInput.parse(input));
  const actor = { kind: 'system', identityId } as const;
  await addWhitelistedAddress(actor, pendingAddress);
  return actor;
}

async function exists(actor: SystemActor, customer: CreateCustomerInput): Promise<boolean> {
  const email = customer.contacts[0]?.email ?? '';
  return getCustomerByContact(actor, contactGuid(email)).then(
    () => true,
    () => false,
  );
}

/** The services stamp everything with the present; a business grew over years. */
async function spreadOverTime(actor: SystemActor): Promise<void> {
  await pool().query(
    `WITH numbered AS (SELECT id, row_number() OVER (ORDER BY created_at DESC, id DESC) AS age FROM customers WHERE identity_id = $1)
     UPDATE customers c SET created_at = now() - n.age * interval '61 hours' - n.age % 7 * interval '37 minutes',
       updated_at = now() - (n.age * 7919 % 900) * interval '1 hour' * least(1, n.age / 15.0)
     FROM numbered n WHERE c.id = n.id`,
    [actor.identityId],
  );
  await pool().query('UPDATE customers SET updated_at = greatest(updated_at, created_at) WHERE identity_id = $1', [
    actor.identityId,
  ]);
}

/** The demo's agents by their id; those that exist already keep what their visitor made of them once the demo is complete. */
async function ensureAgents(actor: SystemActor): Promise<Map<string, DemoAgent>> {
  const { agents: existing } = await listAgents(actor, { limit: 100, offset: 0 });
  const ids = new Map(existing.map(({ roleId, id }) => [roleId, id]));
  const byId = new Map<string, DemoAgent>();
  for (const agent of demoAgents) {
    const { name, roleId, kind, changes, routes } = agent;
    const agentId = ids.get(roleId) ?? (await createAgent(actor, { name, roleId, kind })).id;
    await updateAgent(actor, { agentId, ...changes });
    await updateEscalation(actor, { agentId, routes });
    byId.set(agentId, agent);
  }
  await pool().query(`UPDATE agents SET created_at = now() - interval '400 days' WHERE identity_id = $1`, [actor.identityId]);
  return byId;
}

async function ensureApiKey(actor: SystemActor, token: string | null): Promise<string> {
  const works =
    token !== null &&
    (await authenticateApiKey(`Bearer ${token}`).then(
      () => true,
      () => false,
    ));
  if (works) return token;
  const { key } = await createApiKey(actor, { name: 'Demo key', expiresAt: null });
  return key;
}

/** Fills an empty data directory with the demo's business, or completes what an interrupted start began. */
export async function seedDemo(): Promise<void> {
  const earlier = readState();
  const state = { ...earlier, receiverPort: await startReceiver(earlier.receiverPort) };
  // Before the account exists, so that its password is never lost.
  writeState(state);
  const actor = await ensureIdentity(state.password);
  if (!state.complete) {
    await ensureTeam(await demoOwner(actor));
    await updateIdentity(actor, { profile }, 'merge');
    const customers = demoCustomers(seededRandom(20_261_121), customerCount);
    for (const customer of customers) {
      if (!(await exists(actor, customer))) await createCustomer(actor, customer);
    }
    await spreadOverTime(actor);
    const agents = await ensureAgents(actor);
    await seedUsage(actor, agents);
    await seedBlog(actor);
    const people = customers.map(({ contacts }) => ({
      email: contacts[0]?.email ?? '',
      displayName: contacts[0]?.displayName ?? '',
    }));
    await seedMail(actor, people);
    await seedNotes(actor);
    await seedSnippets(actor);
    await seedCalendar(actor, people, new Map([...agents].map(([id, { roleId }]) => [roleId, id])));
    await settleNotifications(actor);
    await tidyLogs(actor);
  }
  await ensureWebhooks(actor, state.receiverPort, state.complete);
  if (!state.complete) await seedPrograms(actor, await agentIdOf(actor, 'fleet-advisor'));
  writeState({ ...state, apiKey: await ensureApiKey(actor, state.apiKey), complete: true });
}

async function agentIdOf({ identityId }: SystemActor, roleId: string): Promise<string> {
  return (await prisma().agent.findFirstOrThrow({ where: { identityId, roleId }, select: { id: true } })).id;
}

/**
 * Moving records into the past is no change that a person has made, so the audit log forgets it. Events, all written by this start, are
 * spread over four weeks in their order. Both logs belong to the owner of the database.
 */
async function tidyLogs({ identityId }: SystemActor): Promise<void> {
  const url = (await findEmbeddedPostgres(env().DATA_DIR)) ?? '';
  const client = await openConnection({ url, applicationName: 'frontdesk-demo' });
  try {
    await client.query(`DELETE FROM audit_entries WHERE identity_id = $1 AND author_kind = 'database'`, [identityId]);
    await client.query(
      `UPDATE event_log e SET created_at = now() - n.age * interval '28 days' - interval '1 hour'
       FROM (SELECT seq, percent_rank() OVER (ORDER BY position DESC, seq DESC) AS age FROM event_log WHERE identity_id = $1) n
       WHERE e.identity_id = $1 AND e.seq = n.seq`,
      [identityId],
    );
  } finally {
    await closeConnection(client);
  }
}

/** What to sign in and to call the API with; the password is left out once its owner has changed it. */
export async function demoCredentials(): Promise<{ email: string; password: string | null; apiKey: string }> {
  const { password, apiKey } = readState();
  const user = await prisma().user.findUnique({ where: { email: business.ownerEmail }, select: { passwordHash: true } });
  const unchanged = await verifyPassword(user?.passwordHash ?? null, password);
  return { email: business.ownerEmail, password: unchanged ? password : null, apiKey: apiKey ?? '' };
}
