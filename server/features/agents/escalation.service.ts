import { change, emit } from '@/server/features/events/emit.service';
import type { IdentityActor } from '@/server/platform/actor';
import { identities, users } from '@/server/platform/auth/accounts.sql';
import { prisma } from '@/server/platform/db/prisma';
import { lockRevision, readVersion } from '@/server/platform/db/record-version';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { type PrismaTransaction, prismaTransaction, rawStatements } from '@/server/platform/db/transaction';
import { AppError, type FieldErrors, invalidFields, notFound } from '@/server/platform/errors';
import type { RecordVersion } from '@/server/platform/operations/operation';
import { hitlEvents } from './agent.events.schema';
import { toRoutes } from './agent.record';
import { activityOf, agentUpdated, findAgent, lockAgent } from './agent.service';
import { type RouteProblem, routeProblems } from './escalation';
import type { Escalation, EscalationRoute, EscalationRouteInput, UpdateEscalationInput } from './escalation.schema';

async function readEscalation(db: PrismaTransaction, identityId: string, id: string): Promise<Escalation> {
  const agent = await db.agent.findUnique({
    where: { identityId_id: { identityId, id } },
    select: {
      routesRevision: true,
      routesUpdatedAt: true,
      escalationRoutes: true,
      identity: { select: { owner: { select: { email: true } } } },
    },
  });
  if (!agent) throw notFound();
  return {
    agentId: id,
    identityId,
    ownerEmail: agent.identity.owner.email,
    routes: toRoutes(agent.escalationRoutes),
    revision: agent.routesRevision,
    updatedAt: agent.routesUpdatedAt.toISOString(),
  };
}

export const escalationVersion: RecordVersion<{ agentId: string }, Escalation> = {
  lock: (db, { identityId }, { agentId }) =>
    lockRevision(db, {
      name: 'escalation-revision',
      text: 'SELECT routes_revision AS revision FROM agents WHERE identity_id = $1::uuid AND id = $2::uuid FOR NO KEY UPDATE',
      values: [identityId, agentId],
    }),
  others: ({ ownerEmail }) => ownerEmail,
  read: ({ identityId }, { agentId }) =>
    readVersion({
      name: 'escalation-version',
      text: `SELECT a.routes_revision AS revision, a.routes_updated_at AS "updatedAt", u.email AS others
        FROM agents a JOIN ${identities} i ON i.id = a.identity_id JOIN ${users} u ON u.id = i.owner_user_id
        WHERE a.identity_id = $1 AND a.id = $2`,
      values: [identityId, agentId],
    }),
};

/** `GET /identity/agents/{agentId}/hitl`. @throws AppError not_found for an unknown or foreign id. */
export async function getEscalation(actor: IdentityActor, agentId: string): Promise<Escalation> {
  return readEscalation(prisma(), actor.identityId, agentId.toLowerCase());
}

type FirstRoute = Pick<EscalationRoute, 'toUserId' | 'toRole'>;

/** Whom these agents ask first: the people that the lowest level of each one's routes names. */
export async function firstRoutes(db: Queryable, identityId: string, agentIds: readonly string[]): Promise<FirstRoute[]> {
  return rows<FirstRoute>(db, {
    name: 'escalation-first-routes',
    text: `SELECT DISTINCT ON (agent_id) to_user_id AS "toUserId", to_role AS "toRole" FROM escalation_routes
      WHERE identity_id = $1 AND agent_id = ANY ($2::uuid[]) ORDER BY agent_id, level`,
    values: [identityId, agentIds],
  });
}

/**
 * `PATCH /identity/agents/{agentId}/hitl`: an array replaces all routes, an empty one clears them, a missing one changes
 * nothing.
 *
 * @throws AppError invalid_request with every problem of every route; nothing is changed then.
 */
export async function updateEscalation(actor: IdentityActor, input: UpdateEscalationInput): Promise<Escalation> {
  const { routes } = input;
  const agentId = input.agentId.toLowerCase();
  if (routes === undefined) return getEscalation(actor, agentId);
  const { identityId } = actor;
  const activity = await activityOf(identityId, agentId);
  return prismaTransaction(actor, async (tx) => {
    await lockAgent(tx, identityId, agentId);
    const problems = routeProblems(routes);
    if (problems.length > 0) {
      throw invalidFields(Object.fromEntries(problems.map(({ index, field, message }) => [`routes.${index}.${field}`, message])));
    }
    const before = await findAgent(tx, identityId, agentId);
    const previous = await readEscalation(tx, identityId, agentId);
    await writeRoutes(tx, identityId, agentId, routes);
    const now = new Date();
    await tx.agent.update({
      where: { identityId_id: { identityId, id: agentId } },
      data: { routesUpdatedAt: now, updatedAt: now },
    });
    const escalation = await readEscalation(tx, identityId, agentId);
    await emit(rawStatements(tx), actor, [
      change({ kind: hitlEvents, type: 'agent.hitl.updated', id: agentId, object: escalation, previous }),
      // The routes are a part of the agent, too.
      agentUpdated(before, await findAgent(tx, identityId, agentId), activity),
    ]);
    return escalation;
  });
}

/**
 * Replaces the agent's routes. Existing ones are updated in place, so that the audit log distinguishes new routes from changed
 * ones.
 */
async function writeRoutes(
  tx: PrismaTransaction,
  identityId: string,
  agentId: string,
  routes: readonly EscalationRouteInput[],
): Promise<void> {
  await tx.escalationRoute.deleteMany({ where: { identityId, agentId, level: { notIn: routes.map(({ level }) => level) } } });
  for (const route of routes) {
    const { level, ...stored } = toStored({ identityId, agentId }, route);
    await tx.escalationRoute.upsert({
      where: { identityId_agentId_level: { identityId, agentId, level } },
      create: { level, ...stored },
      update: stored,
    });
  }
}

function toStored(
  agent: { identityId: string; agentId: string },
  { contactInfo, label, instructions, ...route }: EscalationRouteInput,
) {
  return { ...agent, ...route, ...contactInfo, label: label ?? null, instructions: instructions ?? null };
}

/**
 * Adds `details.routes` to a refusal of fields inside `routes`, which groups them by route (contract section 5).
 *
 * @returns undefined for any other error
 */
export function nameRoutes(error: AppError): AppError | undefined {
  const fields = error.details?.fields as FieldErrors | undefined;
  const routes: RouteProblem[] = Object.entries(fields ?? {}).flatMap(([path, message]) => {
    const [, index, field] = /^routes\.(\d+)(?:\.(.+))?$/.exec(path) ?? [];
    return index === undefined ? [] : [{ index: Number(index), field: field ?? '', message }];
  });
  if (routes.length === 0) return undefined;
  return new AppError(error.code, error.message, { details: { ...error.details, routes } });
}
