import { type Change, change, emit } from '@/server/features/events/emit.service';
import type { Author, IdentityActor, SystemActor } from '@/server/platform/actor';
import { refuseAgents } from '@/server/platform/auth/access';
import { operatorActingFor } from '@/server/platform/auth/identity-actor';
import type { Prisma } from '@/server/platform/db/generated/client';
import { isUniqueViolation, prisma } from '@/server/platform/db/prisma';
import { lockRevision, readVersion } from '@/server/platform/db/record-version';
import { type PrismaTransaction, prismaTransaction, rawStatements } from '@/server/platform/db/transaction';
import type { WordFilter } from '@/server/platform/db/word-search';
import { AppError, notFound } from '@/server/platform/errors';
import { nextCursorOf, positionOf } from '@/server/platform/list-cursor';
import type { RecordVersion } from '@/server/platform/operations/operation';
import { refuseTakenAgentAddress, takenLocalParts } from '../addresses/address-claim.service';
import { type Activity, activitiesOf, noActivity } from '../usage/activity.service';
import { mergePersona, notEditableKeys } from './agent.editing';
import { agentEvents } from './agent.events.schema';
import { listAgentPage } from './agent.list';
import { type StoredAgentDetail, toAgentDetail, toAgentRecord, toStats } from './agent.record';
import type {
  AgentDetail,
  AgentList,
  AgentSetup,
  AgentStatus,
  CreateAgentInput,
  ListAgentsInput,
  Persona,
  UpdateAgentInput,
} from './agent.schema';

export const withRoutes = { escalationRoutes: true } satisfies Prisma.AgentInclude;

export type FoundAgent = Prisma.AgentGetPayload<{ include: typeof withRoutes }>;

export async function findAgent(db: PrismaTransaction, identityId: string, id: string): Promise<FoundAgent> {
  const agent = await db.agent.findUnique({ where: { identityId_id: { identityId, id } }, include: withRoutes });
  if (!agent) throw notFound();
  return agent;
}

/** What an agent did; not read inside a transaction, which would need a second connection for it. */
export async function activityOf(identityId: string, id: string): Promise<Activity> {
  return (await activitiesOf(identityId, [id]))(id);
}

function toDetail(agent: FoundAgent, activity: Activity): AgentDetail {
  return toAgentDetail(agent satisfies StoredAgentDetail, activity);
}

/** An agent that was just created, with its event. */
async function announce(tx: PrismaTransaction, author: Author, agent: FoundAgent): Promise<AgentDetail> {
  const { id, identityId } = agent;
  const object = toDetail(agent, noActivity);
  await emit(rawStatements(tx), author, change({ kind: agentEvents, type: 'agent.created', id, object }), { identityId });
  return object;
}

/** The change of an agent between two reads of it. */
export function agentUpdated(before: FoundAgent, after: FoundAgent, activity: Activity): Change {
  const [previous, object] = [toDetail(before, activity), toDetail(after, activity)];
  return change({ kind: agentEvents, type: 'agent.updated', id: after.id, object, previous });
}

/** `GET /identity/agents`: by name; `query` wins over `q`. */
export async function listAgents(actor: IdentityActor, input: ListAgentsInput & WordFilter): Promise<AgentList> {
  const { limit, status, kind, words } = input;
  const query = input.query || input.q;
  const key = ['agents', actor.identityId, query, status, kind];
  const position = positionOf(key, input, 'name');
  const found = await listAgentPage(
    actor.identityId,
    { query, status, kind, ...(words && { words }) },
    { limit, offset: input.offset, position },
  );
  const offset = position?.before ?? input.offset;
  return {
    agents: found.page.map(toAgentRecord),
    count: found.page.length,
    total: found.matches,
    pagination: { limit, offset, hasMore: found.hasMore, nextCursor: nextCursorOf(key, found, (row) => row.nameKey, offset) },
    filters: { ...(query ? { query } : {}), ...(status ? { status } : {}), ...(kind ? { kind } : {}) },
  };
}

export const agentVersion: RecordVersion<{ agentId: string }, AgentDetail> = {
  lock: (db, { identityId }, { agentId }) =>
    lockRevision(db, {
      name: 'agent-revision',
      text: 'SELECT revision FROM agents WHERE identity_id = $1::uuid AND id = $2::uuid FOR NO KEY UPDATE',
      values: [identityId, agentId],
    }),
  others: ({ stats }) => stats,
  read: async ({ identityId }, { agentId }) => {
    const version = await readVersion({
      name: 'agent-version',
      text: 'SELECT revision, updated_at AS "updatedAt" FROM agents WHERE identity_id = $1 AND id = $2',
      values: [identityId, agentId],
    });
    return version && { ...version, others: toStats(await activityOf(identityId, agentId.toLowerCase())) };
  },
};

/** @throws AppError not_found for an unknown or foreign id. */
export async function getAgent(actor: IdentityActor, id: string): Promise<AgentDetail> {
  const agent = await findAgent(prisma(), actor.identityId, id);
  return toDetail(agent, await activityOf(actor.identityId, agent.id));
}

/** Locks an agent against concurrent changes, so that no change is lost. @throws AppError not_found */
export async function lockAgent(db: PrismaTransaction, identityId: string, id: string): Promise<void> {
  const locked = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM agents WHERE identity_id = ${identityId}::uuid AND id = ${id}::uuid FOR NO KEY UPDATE`;
  if (locked.length === 0) throw notFound();
}

/**
 * Rejects a change of fields that are not editable, before any of it is applied.
 *
 * @throws AppError invalid_request with `details.notEditable`
 */
export function refuseNotEditable(body: unknown): void {
  const notEditable = notEditableKeys(body);
  if (notEditable.length === 0) return;
  throw new AppError('invalid_request', `These can't be changed: ${notEditable.join(', ')}.`, { details: { notEditable } });
}

/** `PATCH /identity/agents/{agentId}`: only supplied fields change; the persona is merged key by key. */
export async function updateAgent(actor: IdentityActor, { agentId, ...input }: UpdateAgentInput): Promise<AgentDetail> {
  const { identityId } = actor;
  const { persona, name, ...fields } = input;
  // An agent that could change this could undo its owner's pause.
  if (input.status !== undefined) refuseAgents(actor);
  const isEmpty = Object.values(input).every((value) => value === undefined);
  if (isEmpty) return getAgent(actor, agentId);
  const activity = await activityOf(identityId, agentId.toLowerCase());
  return prismaTransaction(actor, async (tx) => {
    await lockAgent(tx, identityId, agentId);
    const stored = await findAgent(tx, identityId, agentId);
    const data: Prisma.AgentUpdateInput = { ...definedOf({ ...fields, name: name?.trim() }), updatedAt: new Date() };
    if (persona) data.persona = mergePersona(stored.persona as Persona, persona) as Prisma.InputJsonObject;
    const changed = await tx.agent.update({ where: { identityId_id: { identityId, id: agentId } }, data, include: withRoutes });
    await emit(rawStatements(tx), actor, agentUpdated(stored, changed, activity));
    return toDetail(changed, activity);
  });
}

function definedOf<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

/** The configuration of a new agent: it reads mail and writes drafts that a person sends. */
function newSetup(roleId: string): AgentSetup {
  return {
    tools: { email: { enabled: true }, calendar: { enabled: false } },
    context: { enabled: true, namespace: roleId },
    workflow: { triggers: ['email.received'], mode: 'draft' },
    model: { provider: 'anthropic', name: 'claude-sonnet', temperature: 0.3, maxTokens: 2048 },
  };
}

function newPersona(name: string): Persona {
  return { tone: 'Friendly and to the point', traits: ['helpful', 'precise'], bio: '', signature: `Best regards\n${name}` };
}

const firstAgent = { name: 'Inbox manager', roleId: 'inbox-manager', kind: 'inbox-manager' } as const;

function newAgent(identityId: string, { name, roleId, kind }: CreateAgentInput): Prisma.AgentUncheckedCreateInput {
  return { identityId, name: name.trim(), roleId, kind, persona: newPersona(name.trim()), setup: newSetup(roleId) };
}

/** Creates the first agent of a new identity, inside the transaction that creates the identity. */
export async function createFirstAgent(db: PrismaTransaction, author: Author, identityId: string): Promise<void> {
  await announce(db, author, await db.agent.create({ data: newAgent(identityId, firstAgent), include: withRoutes }));
}

function roleTaken(roleId: string): AppError {
  return new AppError('conflict', `Another agent has the role ${roleId}.`, { details: { fields: { roleId: 'is taken' } } });
}

function addressOf({ roleId, mailDomain }: FoundAgent): string {
  return `${roleId}@${mailDomain}`;
}

/**
 * Creates an agent, for the dashboard and the command line. @throws AppError conflict for a role, or its address, that is
 * taken.
 */
export async function createAgent(actor: IdentityActor, input: CreateAgentInput): Promise<AgentDetail> {
  try {
    return await prismaTransaction(actor, async (tx) => {
      const agent = await tx.agent.create({ data: newAgent(actor.identityId, input), include: withRoutes });
      await refuseTakenAgentAddress(tx, actor.identityId, addressOf(agent));
      return announce(tx, actor, agent);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw roleTaken(input.roleId);
    throw error;
  }
}

/** An agent as printed by the command line. */
interface CommandLineAgent {
  agentId: string;
  roleId: string;
  email: string;
}

function toCommandLine({ id, roleId, email }: AgentDetail): CommandLineAgent {
  return { agentId: id, roleId, email };
}

/** `admin agent create`. @throws AppError not_found for an unknown handle, conflict for a role that is taken. */
export async function createAgentForHandle(handle: string, input: CreateAgentInput): Promise<CommandLineAgent> {
  return toCommandLine(await createAgent(await operatorActingFor(handle), input));
}

async function findByRole({ identityId }: SystemActor, handle: string, roleId: string): Promise<string> {
  const agent = await prisma().agent.findUnique({ where: { identityId_roleId: { identityId, roleId } }, select: { id: true } });
  if (!agent) throw new AppError('not_found', `${handle} has no agent ${roleId}.`);
  return agent.id;
}

/** `admin agent duplicate`. @throws AppError not_found for an unknown handle or role. */
export async function duplicateAgentForHandle(handle: string, roleId: string): Promise<CommandLineAgent> {
  const actor = await operatorActingFor(handle);
  return toCommandLine(await duplicateAgent(actor, await findByRole(actor, handle, roleId)));
}

/** `admin agent archive`. @throws AppError not_found for an unknown handle or role. */
export async function archiveAgentForHandle(
  handle: string,
  roleId: string,
): Promise<{ agentId: string; roleId: string; status: AgentStatus }> {
  const actor = await operatorActingFor(handle);
  const agentId = await findByRole(actor, handle, roleId);
  const { status } = await updateAgent(actor, { agentId, status: 'archived' });
  return { agentId, roleId, status };
}

const roleMaximum = 63;

/** The first of `role-copy`, `role-copy-2`, … that is free. */
function copiedRole(roleId: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '-copy' : `-copy-${number}`;
    const candidate = roleId.slice(0, roleMaximum - suffix.length).replace(/-$/, '') + suffix;
    if (!taken.has(candidate)) return candidate;
  }
}

/** Copies an agent with a new name and role; the copy starts paused. */
export async function duplicateAgent(actor: IdentityActor, id: string): Promise<AgentDetail> {
  const { identityId } = actor;
  return prismaTransaction(actor, async (tx) => {
    // Serializes copies of the same agent, so that each finds a free role.
    await lockAgent(tx, identityId, id);
    const original = await findAgent(tx, identityId, id);
    const roles = await tx.agent.findMany({
      where: { identityId, roleId: { contains: '-copy' } },
      select: { roleId: true },
    });
    const elsewhere = await takenLocalParts(tx, identityId, '-copy');
    const roleId = copiedRole(original.roleId, new Set([...roles.map((role) => role.roleId), ...elsewhere]));
    const routes = original.escalationRoutes.map(({ identityId: _, agentId: _agentId, ...route }) => route);
    const created = await tx.agent.create({
      data: {
        identityId,
        name: `${original.name.slice(0, 190)} (copy)`,
        roleId,
        kind: original.kind,
        status: 'paused',
        avatarUrl: original.avatarUrl,
        tags: original.tags,
        persona: original.persona as Prisma.InputJsonObject,
        setup: original.setup as Prisma.InputJsonObject,
        escalationRoutes: { create: routes },
      },
      include: withRoutes,
    });
    await refuseTakenAgentAddress(tx, identityId, addressOf(created));
    return announce(tx, actor, created);
  });
}

/** Names of these agents by id; ids of other identities' agents are left out. */
export async function namesOfAgents(actor: IdentityActor, ids: readonly string[]): Promise<Map<string, string>> {
  const wellFormed = ids.filter((id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id));
  const agents = await prisma().agent.findMany({
    where: { identityId: actor.identityId, id: { in: wellFormed } },
    select: { id: true, name: true },
  });
  return new Map(agents.map(({ id, name }) => [id, name]));
}
