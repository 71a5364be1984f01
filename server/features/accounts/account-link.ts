import { createHash, randomBytes } from 'node:crypto';
import type { AccountLinkKind } from '@/server/platform/db/generated/client';
import { prisma } from '@/server/platform/db/prisma';
import type { PrismaTransaction } from '@/server/platform/db/transaction';
import { publicUrl } from '@/server/platform/env';

/** Links mailed to an account holder: at most one of each kind, usable once. Only a hash of the token is stored. */

/** The page each kind leads to, and its lifetime in hours. */
const kinds = {
  email: { path: '/confirm-email', hours: 24 },
  password: { path: '/reset-password', hours: 1 },
} as const satisfies Record<AccountLinkKind, { path: string; hours: number }>;

/** A link as it is mailed. The token is in the fragment, which browsers do not send, so no log and no other site sees it. */
export interface IssuedLink {
  url: string;
  expiresAt: Date;
}

/** The account that a token belongs to. */
export interface FoundLink {
  userId: string;
  /** The address that the link was mailed to. */
  email: string;
  expiresAt: Date;
}

/** What is stored of a link's token. */
export function hashOfToken(token: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash('sha256').update(token).digest());
}

/** Writes a link and replaces an earlier one of its kind, inside the caller's transaction. */
export async function issueLink(
  tx: PrismaTransaction,
  kind: AccountLinkKind,
  { userId, email }: Pick<FoundLink, 'userId' | 'email'>,
): Promise<IssuedLink> {
  const token = randomBytes(24).toString('base64url');
  const { path, hours } = kinds[kind];
  const createdAt = new Date();
  const expiresAt = new Date(createdAt.getTime() + hours * 3_600_000);
  const link = { hash: hashOfToken(token), email, createdAt, expiresAt };
  await tx.accountLink.upsert({
    where: { userId_kind: { userId, kind } },
    create: { userId, kind, ...link },
    update: link,
  });
  return { url: `${publicUrl()}${path}#${token}`, expiresAt };
}

/** Looks a link up without using it; null if it never existed, was used or replaced, or has expired. */
export async function findLink(kind: AccountLinkKind, token: string): Promise<FoundLink | null> {
  return prisma().accountLink.findFirst({
    where: { hash: hashOfToken(token), kind, expiresAt: { gt: new Date() } },
    select: { userId: true, email: true, expiresAt: true },
  });
}

/** Uses a link up inside the caller's transaction; of several concurrent calls, one gets it. */
export async function consumeLink(tx: PrismaTransaction, kind: AccountLinkKind, token: string): Promise<FoundLink | null> {
  const hash = hashOfToken(token);
  const link = await tx.accountLink.findFirst({ where: { hash, kind, expiresAt: { gt: new Date() } } });
  const { count } = await tx.accountLink.deleteMany({ where: { hash, kind } });
  return count === 1 ? link : null;
}

/** Invalidates every link that was mailed for an account. */
export async function removeLinks(tx: PrismaTransaction, userId: string): Promise<void> {
  await tx.accountLink.deleteMany({ where: { userId } });
}
