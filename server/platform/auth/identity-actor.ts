import type { SystemActor } from '../actor';
import { prisma } from '../db/prisma';
import { AppError } from '../errors';

/** The command line's actor for the identity with this handle. @throws AppError not_found */
export async function operatorActingFor(handle: string): Promise<SystemActor> {
  const identity = await prisma().identity.findUnique({ where: { handle }, select: { id: true } });
  if (!identity) throw new AppError('not_found', `There is no identity ${handle}.`);
  return { kind: 'system', identityId: identity.id };
}

/** For an account that the operator names by an address of which it is not known whose it is. */
export function unprovenAccount(email: string): AppError {
  return new AppError(
    'conflict',
    `Nobody has proven that ${email} belongs to the person behind this account. Check that, then run: user set-email --email ${email} --new-email ${email}`,
  );
}
