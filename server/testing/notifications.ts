import { randomUUID } from 'node:crypto';
import { deliverJob } from '@/server/features/notifications/delivery-job';
import { type Notice, notify } from '@/server/features/notifications/notification.service';
import type { Author, IdentityActor, SessionActor } from '@/server/platform/actor';
import { prisma } from '@/server/platform/db/prisma';
import { transaction } from '@/server/platform/db/transaction';
import { findJob } from './jobs';

type PersonActor = SessionActor & IdentityActor;

/** The installation, which causes what no person does. */
const system: Author = { kind: 'system', cause: 'delivery' };

/** Notifies members of one business in a transaction of its own. */
export function notifyMembers(
  members: readonly PersonActor[],
  { title = 'Assigned to you: A question', ...changes }: Partial<Omit<Notice, 'title'>> & { title?: string } = {},
  author: Author = system,
): Promise<void> {
  const [first] = members;
  const notice: Notice = {
    identityId: first?.identityId ?? '',
    ...{ kind: 'assigned', conversationId: null, title: () => title, dedupeKey: randomUUID() },
    recipients: members.map(({ userId }) => userId),
    ...changes,
  };
  return transaction(author, (client) => notify(client, notice, author));
}

/** All notifications of a member, oldest first. */
export function notificationsOf({ identityId, userId }: PersonActor) {
  return prisma().notification.findMany({ where: { identityId, userId }, orderBy: { id: 'asc' } });
}

/** When the job of a member runs; null without one. */
export async function jobTimeOf({ identityId, userId }: PersonActor): Promise<Date | null> {
  const job = await findJob(deliverJob, `${identityId}:${userId}`);
  return job?.dueAt ?? null;
}

/** The browser's session, for what belongs to it. */
export async function signInTestBrowser({ sessionId, userId }: PersonActor): Promise<void> {
  await prisma().session.createMany({ data: [{ id: sessionId, userId }], skipDuplicates: true });
}

/** Quiet hours in UTC that contain the present, and when they end. */
export function quietNow(): { quietHours: { from: string; to: string }; endsAt: Date } {
  const minute = 60_000;
  const now = Math.floor(Date.now() / minute) * minute;
  const endsAt = new Date(now + 120 * minute);
  const clock = (time: number) => new Date(time).toISOString().slice(11, 16);
  return { quietHours: { from: clock(now - 60 * minute), to: clock(endsAt.getTime()) }, endsAt };
}
