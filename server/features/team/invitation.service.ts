import { createHash, randomBytes } from 'node:crypto';
import type { IdentityActor, SessionActor } from '@/server/platform/actor';
import { identityCookie } from '@/server/platform/auth/session';
import { countInvitation } from '@/server/platform/auth/sign-in-throttle';
import { prisma } from '@/server/platform/db/prisma';
import { removeInBatches } from '@/server/platform/db/remove-in-batches';
import { type PrismaTransaction, prismaTransaction } from '@/server/platform/db/transaction';
import { publicUrl } from '@/server/platform/env';
import { AppError, invalidFields, notFound } from '@/server/platform/errors';
import { languageOf } from '@/server/platform/languages.schema';
import { hashNewPassword } from '../accounts/new-password.service';
import { sendAccountMail } from '../outbox/account-mail.service';
import { lockTeam, nameOf, requireRightOver, requireRoom } from './member.service';
import type { InviteInput, IssuedInvitation, JoinInput, OpenInvitation } from './team.schema';
import { invitationMail } from './team-mails';

/**
 * Invitations to a team, by a link that is mailed to an address and that only the account with this address can use. Opening it
 * changes nothing, so programs that check mail may. Only a hash of its token is stored.
 */

type PersonActor = SessionActor & IdentityActor;

/** The person with a link, acting without an account. */
const byLink = { kind: 'system', cause: 'invitation' } as const;

const lifetime = 7 * 24 * 3_600_000;

function hashOf(token: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash('sha256').update(token).digest());
}

/** @throws AppError rate_limit_exceeded */
async function countSending({ identityId }: PersonActor, email: string): Promise<void> {
  const wait = await countInvitation(identityId, email);
  if (wait === null) return;
  throw new AppError('rate_limit_exceeded', `Too many invitations. Try again in ${Math.ceil(wait / 60)} minutes.`, {
    headers: { 'Retry-After': String(wait) },
  });
}

/** Makes a new link for an invitation and mails it. Without SMTP_URL it is returned instead, to be handed over. */
async function issueLink(
  tx: PrismaTransaction,
  { userId }: PersonActor,
  { business, email, role }: InviteInput & { business: string },
) {
  const token = randomBytes(24).toString('base64url');
  const url = `${publicUrl()}/invitation#${token}`;
  const sentAt = new Date();
  const people = await tx.user.findMany({
    where: { OR: [{ id: userId }, { email }] },
    select: { id: true, email: true, displayName: true, language: true },
  });
  const inviter = people.find(({ id }) => id === userId);
  if (!inviter) throw notFound();
  // Of a person without an account, no language is known.
  const language = languageOf(people.find((person) => person.email === email) ?? inviter);
  const expiresAt = new Date(sentAt.getTime() + lifetime);
  const isMailed = await sendAccountMail(tx, {
    to: email,
    ...invitationMail(language, { business, role, by: nameOf(inviter), url }),
    expiresAt,
  });
  return { url: isMailed ? null : url, stored: { hash: hashOf(token), invitedBy: userId, isMailed, sentAt, expiresAt } };
}

/**
 * Invites an address.
 *
 * @throws AppError insufficient_role for an owner invited by an admin; invalid_request for a member; conflict for an address that is
 *   invited already, or a full team; rate_limit_exceeded
 */
export async function invite(actor: PersonActor, { email, role }: InviteInput): Promise<IssuedInvitation> {
  const { identityId } = actor;
  await countSending(actor, email);
  return prismaTransaction(
    actor,
    async (tx) => {
      const { business } = await lockTeam(tx, identityId);
      await requireRightOver(tx, actor, role);
      if ((await tx.membership.count({ where: { identityId, user: { email } } })) > 0) {
        throw invalidFields({ email: 'belongs to a member of this team' });
      }
      if ((await tx.invitation.count({ where: { identityId, email } })) > 0) {
        throw new AppError('conflict', `${email} is invited already. Send the invitation again instead.`, {
          details: { fields: { email: 'is invited already' } },
        });
      }
      await requireRoom(tx, identityId);
      const { url, stored } = await issueLink(tx, actor, { business, email, role });
      const { id } = await tx.invitation.create({ data: { identityId, email, role, ...stored }, select: { id: true } });
      return { id, url };
    },
    { withoutRowSecurity: true },
  );
}

/** Sends an invitation again with a new link, which lasts 7 days; the old one stops working. @throws AppError not_found, as `invite` */
export async function resendInvitation(actor: PersonActor, id: string): Promise<IssuedInvitation> {
  const { identityId } = actor;
  const found = await prisma().invitation.findUnique({ where: { identityId_id: { identityId, id } }, select: { email: true } });
  if (!found) throw notFound();
  await countSending(actor, found.email);
  return prismaTransaction(
    actor,
    async (tx) => {
      const { business } = await lockTeam(tx, identityId);
      const invitation = await tx.invitation.findUnique({ where: { identityId_id: { identityId, id } } });
      if (!invitation) throw notFound();
      await requireRightOver(tx, actor, invitation.role);
      const { url, stored } = await issueLink(tx, actor, { business, email: invitation.email, role: invitation.role });
      await tx.invitation.update({ where: { identityId_id: { identityId, id } }, data: stored });
      return { id, url };
    },
    { withoutRowSecurity: true },
  );
}

/** Takes an invitation back; its link stops working. @throws AppError not_found, insufficient_role for an owner's by an admin */
export async function revokeInvitation(actor: PersonActor, id: string): Promise<void> {
  const { identityId } = actor;
  await prismaTransaction(
    actor,
    async (tx) => {
      await lockTeam(tx, identityId);
      const invitation = await tx.invitation.findUnique({ where: { identityId_id: { identityId, id } } });
      if (!invitation) throw notFound();
      await requireRightOver(tx, actor, invitation.role);
      await tx.invitation.delete({ where: { identityId_id: { identityId, id } } });
    },
    { withoutRowSecurity: true },
  );
}

function linkInvalid(): AppError {
  return new AppError('not_found', 'This invitation no longer works. Ask for a new one.');
}

/** An invitation that can be accepted. @throws AppError not_found for a link that never worked, was used or replaced, or has expired */
async function findOpen(tx: Pick<PrismaTransaction, 'invitation'>, token: string) {
  const invitation = await tx.invitation.findFirst({
    where: { hash: hashOf(token), expiresAt: { gt: new Date() }, identity: { erasedAt: null } },
    include: { identity: { select: { handle: true, displayName: true } } },
  });
  if (!invitation) throw linkInvalid();
  return invitation;
}

/** What an invitation is about, without using it. @throws AppError not_found */
export async function readInvitation(token: string): Promise<OpenInvitation> {
  // Not as the person who is signed in, whose reads are limited to another business.
  return prismaTransaction(byLink, async (tx) => {
    const { identity, email, role, invitedBy } = await findOpen(tx, token);
    const account = await tx.user.findUnique({ where: { email }, select: { id: true } });
    const inviter =
      invitedBy && (await tx.user.findUnique({ where: { id: invitedBy }, select: { email: true, displayName: true } }));
    return {
      business: identity.displayName || identity.handle,
      email,
      role,
      invitedBy: inviter ? nameOf(inviter) : null,
      hasAccount: account !== null,
    };
  });
}

/**
 * Uses an invitation up for an account, inside the caller's transaction; of several calls at the same time, one gets it.
 *
 * @returns the id of the business
 * @throws AppError not_found for a link that does not work; conflict if it is for another address
 */
export async function consumeInvitation(
  tx: PrismaTransaction,
  token: string,
  { userId, email }: { userId: string; email: string },
): Promise<string> {
  const invitation = await findOpen(tx, token);
  if (invitation.email !== email) {
    throw new AppError('conflict', `This invitation is for ${invitation.email}. Sign in with that account to accept it.`);
  }
  const { identityId, id, role } = invitation;
  await lockTeam(tx, identityId);
  const { count } = await tx.invitation.deleteMany({ where: { identityId, id, hash: hashOf(token) } });
  if (count === 0) throw linkInvalid();
  await tx.membership.createMany({ data: [{ identityId, userId, role }], skipDuplicates: true });
  return identityId;
}

/**
 * Accepts an invitation for the signed-in account. A mailed link proves its address.
 *
 * @returns the cookie that selects the business in this browser
 * @throws AppError not_found for a link that does not work; conflict for another account's
 */
export async function acceptInvitation(actor: SessionActor, token: string): Promise<string> {
  const identityId = await prismaTransaction(
    actor,
    async (tx) => {
      const { isMailed } = await findOpen(tx, token);
      const user = await tx.user.findUniqueOrThrow({ where: { id: actor.userId } });
      const joined = await consumeInvitation(tx, token, { userId: user.id, email: user.email });
      if (isMailed && !user.emailVerifiedAt) {
        await tx.user.update({ where: { id: user.id }, data: { emailVerifiedAt: new Date() } });
      }
      return joined;
    },
    { withoutRowSecurity: true },
  );
  return identityCookie(identityId);
}

/**
 * Creates an account for the invited address and accepts. It does not sign in.
 *
 * @returns the address to sign in with
 * @throws AppError not_found for a link that does not work; conflict if the address has an account; invalid_request for a password
 *   that is easy to guess, which leaves the link
 */
export async function joinWithNewAccount({ token, displayName, password }: JoinInput): Promise<{ email: string }> {
  // Hashing a password is expensive: only after the link was checked.
  const { email, isMailed } = await prismaTransaction(byLink, (tx) => findOpen(tx, token));
  const passwordHash = await hashNewPassword(password, email, 'password');
  return prismaTransaction(byLink, async (tx) => {
    const emailVerifiedAt = isMailed ? new Date() : null;
    const account = { email, displayName: displayName.trim(), passwordHash, emailVerifiedAt };
    const { count } = await tx.user.createMany({ data: [account], skipDuplicates: true });
    if (count === 0) throw new AppError('conflict', `${email} has an account already. Sign in to accept the invitation.`);
    const user = await tx.user.findUniqueOrThrow({ where: { email }, select: { id: true } });
    await consumeInvitation(tx, token, { userId: user.id, email });
    return { email };
  });
}

/** Declines an invitation; the link is enough. @throws AppError not_found */
export async function declineInvitation(token: string): Promise<void> {
  await prismaTransaction(byLink, async (tx) => {
    const { identityId, id } = await findOpen(tx, token);
    await tx.invitation.deleteMany({ where: { identityId, id, hash: hashOf(token) } });
  });
}

/** Background jobs of teams. */
/** Expired ones can be sent again for a month. */
export async function removeOldInvitations(signal?: AbortSignal): Promise<void> {
  await removeInBatches({ table: 'invitations', condition: `expires_at < now() - interval '30 days'`, signal });
}
