import type { IdentityActor } from '@/server/platform/actor';
import { prisma } from '@/server/platform/db/prisma';
import { type PrismaTransaction, prismaTransaction } from '@/server/platform/db/transaction';
import { AppError, type FieldErrors, invalidFields, notFound } from '@/server/platform/errors';
import { toRoutes } from './agent.record';
import { lockAgent } from './agent.service';
import { type RouteProblem, routeProblems } from './escalation';
import type { Escalation, EscalationRouteInput, UpdateEscalationInput } from './escalation.schema';

async function readEscalation(db: PrismaTransaction, identityId: string, id: string): Promise<Escalation> {
  const agent = await db.agent.findUnique({
    where: { identityId_id: { identityId, id } },
    select: {
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
    updatedAt: agent.routesUpdatedAt.toISOString(),
  };
}

/** `GET /identity/agents/{agentId}/hitl`. @throws AppError not_found for an unknown or foreign id. */
export async function getEscalation(actor: IdentityActor, agentId: string): Promise<Escalation> {
  return readEscalation(prisma(), actor.identityId, agentId.toLowerCase());
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
  return prismaTransaction(actor, async (tx) => {
    await lockAgent(tx, actor.identityId, agentId);
    const problems = routeProblems(routes);
    if (problems.length > 0) {
      throw invalidFields(Object.fromEntries(problems.map(({ index, field, message }) => [`routes.${index}.${field}`, message])));
    }
    await writeRoutes(tx, agentId, routes);
    const now = new Date();
    await tx.agent.update({ where: { id: agentId }, data: { routesUpdatedAt: now, updatedAt: now } });
    return readEscalation(tx, actor.identityId, agentId);
  });
}

/**
 * Replaces the agent's routes. Existing ones are updated in place, so that the audit log distinguishes new routes from changed
 * ones.
 */
async function writeRoutes(tx: PrismaTransaction, agentId: string, routes: readonly EscalationRouteInput[]): Promise<void> {
  await tx.escalationRoute.deleteMany({ where: { agentId, level: { notIn: routes.map(({ level }) => level) } } });
  for (const route of routes) {
    const { level, ...stored } = toStored(agentId, route);
    await tx.escalationRoute.upsert({
      where: { agentId_level: { agentId, level } },
      create: { level, ...stored },
      update: stored,
    });
  }
}

function toStored(agentId: string, { contactInfo, label, instructions, ...route }: EscalationRouteInput) {
  return { agentId, ...route, ...contactInfo, label: label ?? null, instructions: instructions ?? null };
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
