import type { CreateEventRequest } from '@/server/features/calendar/calendar.schema';
import type { IdentityActor } from '@/server/platform/actor';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { createTestEvent, queuedMails } from './calendar';
import { createTestIdentity } from './identity';

/** Invites an address to an event, and returns the RSVP link of the mail it gets. */
export async function inviteByMail(
  actor: IdentityActor,
  changes: Partial<CreateEventRequest> = {},
): Promise<{ eventId: string; path: string }> {
  const event = await createTestEvent(actor, { invitees: [{ email: 'ann@quark.example', name: 'Ann' }], ...changes });
  const mail = (await queuedMails(actor.identityId)).at(-1);
  const [path] = /\/rsvp\/[\w-]+/.exec(mail?.mail.text ?? '') ?? [];
  if (path === undefined) throw new Error('The invitation has no personal link.');
  return { eventId: event.id, path };
}

/** All stored columns of an event's invitees, in order. */
export function storedInvitees(eventId: string): Promise<Record<string, unknown>[]> {
  return rows(pool(), {
    text: 'SELECT *, xmin::text FROM calendar_invitees WHERE event_id = $1 ORDER BY position',
    values: [eventId],
  });
}

/** An identity and somebody it has invited to an event, like `inviteByMail`. */
export async function invited(...given: Parameters<typeof inviteByMail> extends [unknown, ...infer Rest] ? Rest : never) {
  const identity = await createTestIdentity({ displayName: 'Harbor Studio' });
  return { ...identity, ...(await inviteByMail(identity.actor, ...given)) };
}
