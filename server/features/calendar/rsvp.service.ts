import type { Author, IdentityActor } from '@/server/platform/actor';
import { identities, users } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { type Queryable, rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError, invalidFields } from '@/server/platform/errors';
import type { RsvpInput } from './calendar.schema';
import { answering } from './event.log';
import { mailedEvent, partiesOf } from './event.mails';
import { checkEventId, eventNotFound, findEvent, unlessDeleted } from './event.record';
import { senderOf } from './event.sender';
import { type Answer, answers, type InviteeResponse } from './invitee.schema';
import type { MailedEvent, MailParties } from './mail/mailed-event';
import { inviteeOf } from './signed-link.service';

/** Responses to invitations over the API and by RSVP links. Those by mail: see reply.service.ts. */

/** Records a response; the newest counts, however it was given. */
async function record(db: Queryable, { identityId, id }: Invited, answer: Answer, by: 'api' | 'link'): Promise<boolean> {
  const recorded = await rows(db, {
    name: 'calendar-answer',
    text: `UPDATE calendar_invitees SET response = $3, answered_by = $4, answered_at = clock_timestamp(), answer_verified = true
      WHERE identity_id = $1 AND id = $2 RETURNING 1`,
    values: [identityId, id, answer, by],
  });
  return recorded.length > 0;
}

interface Invited {
  id: string;
  identityId: string;
  email: string;
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
    withoutRowSecurity: true,
    text: `SELECT v.id, v.identity_id AS "identityId", v.email FROM ${identities} i JOIN ${users} u ON u.id = i.owner_user_id
      JOIN calendar_invitees v ON v.event_id = $2 AND v.email IN (i.address, CASE WHEN u.email_verified_at IS NOT NULL THEN u.email END)
      WHERE i.id = $1 ORDER BY (v.email = i.address) DESC NULLS LAST LIMIT 1`,
    values: [identityId, eventId],
  });
  if (!invited) {
    await findEvent(pool(), identityId, eventId);
    throw new AppError('invalid_request', 'You can’t answer an event of your own that you are not invited to.');
  }
  // In another identity's logs the author is an invitee, not the key or account that made the request, nor is the request named.
  const isOwn = invited.identityId === identityId;
  const auditedAs: Author = isOwn ? actor : { kind: 'system', cause: 'invitee' };
  const event = { identityId: invited.identityId, eventId, guest: isOwn ? null : invited.email };
  const isRecorded = await transaction(
    actor,
    (client) => answering(client, auditedAs, event, () => record(client, invited, response, 'api')),
    { auditedAs, withoutRowSecurity: true },
  );
  if (!isRecorded) throw eventNotFound();
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

async function invitationOf(db: Queryable, token: string): Promise<InvitationRow | null> {
  const inviteeId = inviteeOf(token);
  if (inviteeId === null) return null;
  const [row] = await rows<InvitationRow>(db, {
    name: 'calendar-invitation',
    text: 'SELECT identity_id AS "identityId", event_id AS "eventId", id, email, name, response FROM calendar_invitees WHERE id = $1',
    values: [inviteeId],
  });
  return row ?? null;
}

/**
 * The invitation of an RSVP link; null if it does not exist or no longer does. Read-only.
 *
 * @throws AppError not_found if the event is deleted concurrently
 */
export async function findInvitation(token: string): Promise<Invitation | null> {
  const row = await invitationOf(pool(), token);
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
  if (inviteeOf(token) === null) return false;
  const given = answers.find((known) => known === answer);
  if (!given) throw invalidFields({ answer: `must be one of: ${answers.join(', ')}` });
  const author: Author = { kind: 'system', cause: 'invitee' };
  const isRecorded = await transaction(author, async (client) => {
    const invited = await invitationOf(client, token);
    if (!invited) return false;
    const event = { ...invited, guest: invited.email };
    return answering(client, author, event, async ({ status }) => {
      return status !== 'cancelled' && record(client, invited, given, 'link');
    });
  }).catch(unlessDeleted);
  return isRecorded === true;
}
