import { v7 } from 'uuid';
import { invite } from '@/server/features/team/invitation.service';
import type { IdentityActor, SessionActor } from '@/server/platform/actor';
import type { TeamRole } from '@/server/platform/auth/team-roles.schema';
import { prisma } from '@/server/platform/db/prisma';
import { business } from './business';

/** The people of the demo's business. */

interface Colleague {
  name: string;
  email: string;
  role: TeamRole;
  /** When they were last there, in minutes ago. */
  lastActive: number;
}

const ownersName = 'Mara Lindqvist';

/** Emails of people whom other parts of the demo name. */
export const businessPeople = {
  mara: business.ownerEmail,
  jonas: 'jonas@harborlane.example',
  aylin: 'aylin@harborlane.example',
} as const;
const timeZone = 'Europe/Berlin';

const colleagues: readonly Colleague[] = [
  { name: 'Jonas Brandt', email: businessPeople.jonas, role: 'admin', lastActive: 35 },
  { name: 'Aylin Kaya', email: businessPeople.aylin, role: 'member', lastActive: 4 },
  { name: 'Tom Whitfield', email: 'tom@harborlane.example', role: 'member', lastActive: 60 * 26 },
  { name: 'Sofia Marchetti', email: 'sofia@harborlane.example', role: 'viewer', lastActive: 60 * 24 * 9 },
];

const invited = { email: 'noor@harborlane.example', role: 'member' } as const;

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);

/** The owner, acting in the dashboard. */
export async function demoOwner({ identityId }: IdentityActor): Promise<SessionActor & IdentityActor> {
  const { id: userId } = await prisma().user.findUniqueOrThrow({ where: { email: business.ownerEmail }, select: { id: true } });
  return { kind: 'session', userId, sessionId: v7(), name: ownersName, identityId, role: 'owner' };
}

/** Names the owner, and gives them colleagues, who have no password yet. */
export async function ensureTeam(owner: SessionActor & IdentityActor): Promise<void> {
  const { identityId, userId } = owner;
  await prisma().user.update({ where: { id: userId }, data: { displayName: ownersName, timeZone } });
  for (const { name: displayName, email, role, lastActive } of colleagues) {
    const lastActiveAt = minutesAgo(lastActive);
    const user = await prisma().user.upsert({
      where: { email },
      create: { email, displayName, timeZone, emailVerifiedAt: new Date() },
      update: {},
      select: { id: true },
    });
    const key = { identityId, userId: user.id };
    await prisma().membership.upsert({ where: { identityId_userId: key }, create: { ...key, role, lastActiveAt }, update: {} });
  }
  if ((await prisma().invitation.count({ where: { identityId } })) === 0) await invite(owner, invited);
}
