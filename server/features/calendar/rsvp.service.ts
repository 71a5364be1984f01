import type { Author, IdentityActor } from '@/server/platform/actor';
import { identities, users } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError, invalidFields } from '@/server/platform/errors';
import type { RsvpInput } from './calendar.schema';
import { mailedEvent, partiesOf } from './event.mails';
import { checkEventId, eventNotFound, findEvent } from './event.record';
import { senderOf } from './event.sender';
import { type Answer, answers, type InviteeResponse } from './invitee.schema';
import type { MailedEvent, MailParties } from './mail/mailed-event';
import { inviteeOf } from './signed-link';

/** Responses to invitations over the API and by RSVP links. Those by mail: see reply.service.ts. */

/** Records a response; the newest counts, however it was given. */
async function record(db: Queryable, inviteeId: string, answer: Answer): Promise<boolean> {
  const recorded = await rows(db, {
    name: 'calendar-answer',
    text: `UPDATE calendar_invitees SET response = $2, answered_by = 'api', answered_at = clock_timestamp(), answer_verified = true WHERE id = $1 RETURNING 1`,
    values: [inviteeId, answer],
  });
  return recorded.length > 0;
}

/** Like `record`, for the RSVP page, which accepts no response to a cancelled event. */
async function recordFromPage(db: Queryable, inviteeId: string, answer: Answer): Promise<boolean> {
  const recorded = await rows(db, {
    name: 'calendar-answer-page',
    text: `UPDATE calendar_invitees v SET response = $2, answered_by = 'link', answered_at = clock_timestamp(), answer_verified = true
      FROM calendar_events e
      WHERE v.id = $1 AND e.identity_id = v.identity_id AND e.id = v.event_id AND e.status <> 'cancelled' RETURNING 1`,
    values: [inviteeId, answer],
  });
  return recorded.length > 0;
}

interface Invited {
  id: string;
  identityId: string;
}

/**
 * `POST /calendar/events/{eventId}/rsvp`: responds as the invitee with the caller identity's or its owner's address, on events
 * of any identity (contract section 8). An owner's address counts only if it is proven.
 *
 * @throws AppError not_found if the caller is not invited; invalid_request if the event is the caller's own
 */
export async function respond(actor: IdentityActor, { eventId, response }: RsvpInput): Promise<{ success: true }> {
  const { identityId } = actor;
  checkEventId(eventId);
  const [invited] = await rows<Invited>(pool(), {
    name: 'calendar-invited-as',
    text: `SELECT v.id, v.identity_id AS "identityId" FROM ${identities} i JOIN ${users} u ON u.id = i.owner_user_id
      JOIN calendar_invitees v ON v.event_id = $2 AND v.email IN (i.address, CASE WHEN u.email_verified_at IS NOT NULL THEN u.email END)
      WHERE i.id = $1 ORDER BY (v.email = i.address) DESC NULLS LAST LIMIT 1`,
    values: [identityId, eventId],
  });
  if (!invited) {
    await findEvent(pool(), identityId, eventId);
    throw new AppError('invalid_request', 'You can’t answer an event of your own that you are not invited to.');
  }
  // In another identity's audit log the author is an invitee, not the key or account that made the request.
  const auditedAs: Author = invited.identityId === identityId ? actor : { kind: 'system', cause: 'invitee' };
  if (!(await transaction(actor, (client) => record(client, invited.id, response), { auditedAs }))) throw eventNotFound();
  return { success: true };
}

/** An invitation for its RSVP page, with the same data as the mails. */
export interface Invitation {
  event: MailedEvent;
  parties: MailParties;
  response: InviteeResponse;
}

interface InvitationRow {
  identityId: string;
  eventId: string;
  id: string;
  email: string;
  name: string;
  response: InviteeResponse;
}

/**
 * The invitation of an RSVP link; null if it does not exist or no longer does. Read-only.
 *
 * @throws AppError not_found if the event is deleted concurrently
 */
export async function findInvitation(token: string): Promise<Invitation | null> {
  const inviteeId = inviteeOf(token);
  if (inviteeId === null) return null;
  const [row] = await rows<InvitationRow>(pool(), {
    name: 'calendar-invitation',
    text: 'SELECT identity_id AS "identityId", event_id AS "eventId", id, email, name, response FROM calendar_invitees WHERE id = $1',
    values: [inviteeId],
  });
  if (!row) return null;
  const { identityId, eventId, response, ...invitee } = row;
  const event = await findEvent(pool(), identityId, eventId);
  const sender = await senderOf(pool(), event);
  return { event: mailedEvent(event), parties: partiesOf(event, sender, invitee), response };
}

/**
 * Records a response from the RSVP page.
 *
 * @returns false if nothing was recorded: the invitation no longer exists, or the event is cancelled
 * @throws AppError invalid_request for an invalid response
 */
export async function answerInvitation(token: string, answer: string | null): Promise<boolean> {
  const inviteeId = inviteeOf(token);
  if (inviteeId === null) return false;
  const given = answers.find((known) => known === answer);
  if (!given) throw invalidFields({ answer: `must be one of: ${answers.join(', ')}` });
  return transaction({ kind: 'system', cause: 'invitee' }, (client) => recordFromPage(client, inviteeId, given));
}
