import type { IdentityActor } from '@/server/platform/actor';
import { Prisma } from '@/server/platform/db/generated/client';
import { prisma } from '@/server/platform/db/prisma';
import { type PrismaTransaction, prismaTransaction } from '@/server/platform/db/transaction';
import { AppError, invalidFields } from '@/server/platform/errors';
import type { Plan } from '@/server/platform/plan';
import { openStatuses } from '../addresses/address-claim.service';
import { contextualFromAddress } from '../conversations/conversation.service';
import type { GetIdentityInput, IdentityRecord, Profile, UpdateIdentityInput } from './identity.schema';
import { writeProfile } from './profile';

const withAddresses = {
  whitelistedAddresses: { orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] },
} satisfies Prisma.IdentityInclude;

type StoredIdentity = Prisma.IdentityGetPayload<{ include: typeof withAddresses }>;

async function toRecord(db: PrismaTransaction, identity: StoredIdentity): Promise<IdentityRecord> {
  const isOpen = identity.whitelistedAddresses.some(({ status }) => status !== 'proven');
  const statuses = isOpen ? await openStatuses(db, identity.id) : undefined;
  const addresses = identity.whitelistedAddresses.map(({ handle, address, description, status }) => ({
    ...{ handle, address, description },
    status: statuses?.get(address) ?? status,
  }));
  return {
    id: identity.id,
    handle: identity.handle,
    address: identity.address,
    scope: identity.scope,
    displayName: identity.displayName,
    profile: identity.profile as Profile | null,
    whitelistedAddresses: addresses.length > 0 ? addresses : null,
    createdAt: identity.createdAt.toISOString(),
    updatedAt: identity.updatedAt?.toISOString() ?? null,
  };
}

async function readIdentity(db: PrismaTransaction, id: string): Promise<StoredIdentity> {
  const identity = await db.identity.findUnique({ where: { id }, include: withAddresses });
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
  const record = await toRecord(prisma(), await readIdentity(prisma(), actor.identityId));
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
    const locked = await tx.$queryRaw<{ profile: Profile | null }[]>`
      SELECT profile FROM identities WHERE id = ${actor.identityId}::uuid FOR NO KEY UPDATE`;
    if (!locked[0]) throw identityNotFound();
    await tx.identity.update({
      where: { id: actor.identityId },
      data: {
        ...(input.displayName === undefined ? {} : { displayName: input.displayName }),
        ...profileChange(locked[0].profile, input.profile, semantics),
        updatedAt: new Date(),
      },
    });
    return toRecord(tx, await readIdentity(tx, actor.identityId));
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

/** `admin identity set-plan`. Keys count against the new plan's limit within a second. @throws AppError not_found */
export async function setPlan(handle: string, plan: Plan): Promise<{ identityId: string; plan: Plan }> {
  const changed = await prismaTransaction({ kind: 'system', cause: 'operator' }, (tx) =>
    tx.identity.updateManyAndReturn({ where: { handle }, data: { plan }, select: { id: true } }),
  );
  if (!changed[0]) throw new AppError('not_found', `There is no identity ${handle}.`);
  return { identityId: changed[0].id, plan };
}
