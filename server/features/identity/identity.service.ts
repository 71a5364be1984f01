import { change, emit } from '@/server/features/events/emit.service';
import type { IdentityActor } from '@/server/platform/actor';
import { Prisma } from '@/server/platform/db/generated/client';
import { pool } from '@/server/platform/db/pool';
import type { Queryable } from '@/server/platform/db/sql';
import { type PrismaTransaction, prismaTransaction, rawStatements } from '@/server/platform/db/transaction';
import { AppError, invalidFields } from '@/server/platform/errors';
import type { Plan } from '@/server/platform/plan';
import { identityEvents } from '../addresses/identity.events.schema';
import type { IdentityRecord, Profile } from '../addresses/identity-record.schema';
import { beforeIdentitiesChange, readIdentities } from '../addresses/identity-record.service';
import { contextualFromAddress } from '../conversations/conversation.service';
import type { GetIdentityInput, UpdateIdentityInput } from './identity.schema';
import { writeProfile } from './profile';

async function readIdentity(db: Queryable | PrismaTransaction, id: string): Promise<IdentityRecord> {
  const [identity] = await readIdentities(db, [id]);
  if (!identity) throw identityNotFound();
  return identity;
}

function identityNotFound(): AppError {
  return new AppError('identity_not_found', 'The identity no longer exists.');
}

/**
 * `GET /identity`: the actor's own identity; with a conversation or message, its reply address as well.
 *
 * @throws AppError not_found for an unknown or foreign conversation or message
 */
export async function getIdentity(actor: IdentityActor, context: GetIdentityInput = {}): Promise<IdentityRecord> {
  const record = await readIdentity(pool(), actor.identityId);
  if (context.conversationId === undefined && context.messageId === undefined) return record;
  const address = await contextualFromAddress(actor, context);
  return address === undefined ? record : { ...record, contextualFromAddress: address };
}

/**
 * `PATCH /identity`. `displayName` and `profile` are partial at the top level; `writeProfile` has the rules inside the profile.
 *
 * @throws AppError invalid_request with every invalid field of a service
 */
export async function updateIdentity(
  actor: IdentityActor,
  input: UpdateIdentityInput,
  semantics: 'replace' | 'merge',
): Promise<IdentityRecord> {
  if (input.displayName === undefined && input.profile === undefined) return getIdentity(actor);
  return prismaTransaction(actor, async (tx) => {
    // Serializes concurrent updates, so that neither overwrites the other's fields.
    const announce = await beforeIdentitiesChange(tx, [actor.identityId]);
    const { profile } = await readIdentity(tx, actor.identityId);
    await tx.identity.update({
      where: { id: actor.identityId },
      data: {
        ...(input.displayName === undefined ? {} : { displayName: input.displayName }),
        ...profileChange(profile, input.profile, semantics),
        updatedAt: new Date(),
      },
    });
    await announce(actor);
    return readIdentity(tx, actor.identityId);
  });
}

function profileChange(
  stored: Profile | null,
  input: UpdateIdentityInput['profile'],
  semantics: 'replace' | 'merge',
): Pick<Prisma.IdentityUpdateInput, 'profile'> {
  if (input === undefined) return {};
  if (input === null) return { profile: Prisma.DbNull };
  const result = writeProfile(stored, input, semantics);
  if ('problems' in result) throw invalidFields(result.problems);
  return { profile: result.profile as Prisma.InputJsonObject };
}

/**
 * `admin identity set-plan`. Keys count against the new plan's limit within a second. The event has no `previousAttributes`: the
 * identity does not name its plan.
 *
 * @throws AppError not_found
 */
export async function setPlan(handle: string, plan: Plan): Promise<{ identityId: string; plan: Plan }> {
  const author = { kind: 'system', cause: 'operator' } as const;
  return prismaTransaction(author, async (tx) => {
    const identity = await tx.identity.findUnique({ where: { handle }, select: { id: true } });
    if (!identity) throw new AppError('not_found', `There is no identity ${handle}.`);
    const { id } = identity;
    const changed = await tx.identity.updateMany({ where: { id, plan: { not: plan } }, data: { plan } });
    if (changed.count > 0) {
      const object = await readIdentity(tx, id);
      const updated = change({ kind: identityEvents, type: 'identity.updated', id, object });
      await emit(rawStatements(tx), author, updated, { identityId: id });
    }
    return { identityId: id, plan };
  });
}
