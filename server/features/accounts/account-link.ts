import { createHash, randomBytes } from 'node:crypto';
import type { AccountLinkKind } from '@/server/platform/db/generated/client';
import { prisma } from '@/server/platform/db/prisma';
import type { PrismaTransaction } from '@/server/platform/db/transaction';
import { publicUrl } from '@/server/platform/env';

/** Links mailed to the person behind an account: one of each kind at most, which works once. Only a hash of the token is stored. */

/** Where each kind leads, and for how many hours it works. */
const kinds = {
  email: { path: '/confirm-email', hours: 24 },
  password: { path: '/reset-password', hours: 1 },
} as const satisfies Record<AccountLinkKind, { path: string; hours: number }>;

/** A link as it is mailed. The token is in the fragment, which browsers send to no one: no log and no other site learns it. */
export interface IssuedLink {
  url: string;
  expiresAt: Date;
}

/** What a token leads to. */
export interface FoundLink {
  userId: string;
  /** The address that the link was mailed to. */
  email: string;
  expiresAt: Date;
}

function hashOf(token: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(createHash('sha256').update(token).digest());
}

/** Writes a link in place of an earlier one of its kind, as part of something larger. */
export async function issueLink(
  tx: PrismaTransaction,
  kind: AccountLinkKind,
  { userId, email }: Pick<FoundLink, 'userId' | 'email'>,
): Promise<IssuedLink> {
  const token = randomBytes(24).toString('base64url');
  const { path, hours } = kinds[kind];
  const createdAt = new Date();
  const expiresAt = new Date(createdAt.getTime() + hours * 3_600_000);
  const link = { hash: hashOf(token), email, createdAt, expiresAt };
  await tx.accountLink.upsert({
    where: { userId_kind: { userId, kind } },
    create: { userId, kind, ...link },
    update: link,
  });
  return { url: `${publicUrl()}${path}#${token}`, expiresAt };
}

/** What a link leads to, without using it; null for one that never was, was used or replaced, or has ended. */
export async function findLink(kind: AccountLinkKind, token: string): Promise<FoundLink | null> {
  return prisma().accountLink.findFirst({
    where: { hash: hashOf(token), kind, expiresAt: { gt: new Date() } },
    select: { userId: true, email: true, expiresAt: true },
  });
}

/** Uses a link up, as part of what it is for; of several at once one gets it. */
export async function takeLink(tx: PrismaTransaction, kind: AccountLinkKind, token: string): Promise<FoundLink | null> {
  const hash = hashOf(token);
  const link = await tx.accountLink.findFirst({ where: { hash, kind, expiresAt: { gt: new Date() } } });
  const { count } = await tx.accountLink.deleteMany({ where: { hash, kind } });
  return count === 1 ? link : null;
}

/** Makes every link that was mailed for an account worthless. */
export async function removeLinks(tx: PrismaTransaction, userId: string): Promise<void> {
  await tx.accountLink.deleteMany({ where: { userId } });
}
