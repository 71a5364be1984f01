import type pg from 'pg';
import type { IdentityActor } from '@/server/platform/actor';
import { requireScope } from '@/server/platform/auth/access';
import { writeInvitation } from '@/server/platform/ical/ics/write-calendar';
import { enqueueMails, type NewOutboxMail } from '../outbox/outbox.service';
import { announcedFields } from './calendar.schema';
import { eventMail, icsEvent, mailedEvent, partiesOf } from './event.mails';
import { type EventRow, findEvent } from './event.record';
import { type EventSender, senderOf } from './event.sender';
import type { InviteeRecord } from './invitee.schema';
import { composeCancellation, composeInvitation, composeUpdate } from './mail/compose';

/** The recipients of a change; the lists are disjoint. */
export interface Announcement {
  /** New invitees, who get an invitation. */
  invited?: readonly InviteeRecord[];
  /** Existing invitees; those who never got an invitation get one. */
  updated?: readonly InviteeRecord[];
  /** Removed invitees. */
  removed?: readonly InviteeRecord[];
  /** The event before the change; undefined for a new one. */
  before?: EventRow;
}

type Kind = 'invitation' | 'event_update' | 'event_cancellation';

interface PlannedMail {
  kind: Kind;
  invitee: InviteeRecord;
  reason?: 'removed';
}

/** The mails to all recipients. A cancelled event sends no new invitations, and the organizer gets no mail. */
function plannedMailsOf(event: EventRow, { invited = [], updated = [], removed = [] }: Announcement): PlannedMail[] {
  const isCancelled = event.status === 'cancelled';
  const present = [...(isCancelled ? [] : invited), ...updated].map((invitee): PlannedMail => {
    if (isCancelled) return { kind: 'event_cancellation', invitee };
    return { kind: invitee.invitedAt === null ? 'invitation' : 'event_update', invitee };
  });
  const gone = removed.map((invitee): PlannedMail => ({ kind: 'event_cancellation', invitee, reason: 'removed' }));
  return [...present, ...gone].filter(({ invitee }) => !invitee.isOrganizer);
}

function contentOf(planned: PlannedMail, event: EventRow, before: EventRow, sender: EventSender) {
  const { kind, invitee, reason = 'cancelled' } = planned;
  const parties = partiesOf(event, sender, invitee);
  if (kind === 'invitation') return composeInvitation(mailedEvent(event), parties);
  if (kind === 'event_update') return composeUpdate(mailedEvent(event), mailedEvent(before), parties);
  return composeCancellation(mailedEvent(event), parties, { reason });
}

/**
 * Writes the mails about a change to the outbox, in the transaction of the change.
 *
 * @returns the event with the resulting state of its invitees
 * @throws AppError insufficient_scope for a key that may not send mail, if there is any to send
 */
export async function announce(
  actor: IdentityActor,
  client: pg.PoolClient,
  event: EventRow,
  announcement: Announcement,
): Promise<EventRow> {
  const plannedMails = plannedMailsOf(event, announcement);
  if (plannedMails.length === 0) return event;
  requireScope(actor, 'conversations:send');
  const sender = await senderOf(client, event);
  const stamp = new Date();
  const request = writeInvitation({ method: 'REQUEST', event: icsEvent(event, sender, event.invitees), stamp });
  const mails = plannedMails.map((planned): NewOutboxMail => {
    const { kind, invitee } = planned;
    const calendar =
      kind === 'event_cancellation'
        ? {
            method: 'CANCEL' as const,
            content: writeInvitation({ method: 'CANCEL', event: icsEvent(event, sender, [invitee]), stamp }),
          }
        : { method: 'REQUEST' as const, content: request };
    const content = contentOf(planned, event, lastAnnounced(event, announcement.before), sender);
    return eventMail({ kind, event, sender, to: invitee, content, calendar });
  });
  await enqueueMails(client, mails);
  // A mail to new invitees alone does not change what the others were last notified of.
  if (event.announced === null || announcement.updated?.length) await recordAnnounced(client, event);
  const isNoted = await recordInvited(client, event, plannedMails);
  return isNoted ? findEvent(client, event.identityId, event.id) : event;
}

/** The event as invitees know it, from the last mail to all of them. */
function lastAnnounced(event: EventRow, before: EventRow = event): EventRow {
  return { ...before, ...event.announced };
}

async function recordAnnounced(client: pg.PoolClient, event: EventRow): Promise<void> {
  const announced = Object.fromEntries(announcedFields.map((field) => [field, event[field]]));
  await client.query({
    name: 'calendar-event-announced',
    text: 'UPDATE calendar_events SET announced = $3 WHERE identity_id = $1 AND id = $2',
    values: [event.identityId, event.id, JSON.stringify(announced)],
  });
}

/** @returns true if anything was recorded */
async function recordInvited(client: pg.PoolClient, event: EventRow, plannedMails: readonly PlannedMail[]): Promise<boolean> {
  const told = plannedMails.filter(({ kind }) => kind !== 'event_cancellation').map(({ invitee }) => invitee.id);
  if (told.length === 0) return false;
  await client.query({
    name: 'calendar-invitees-told',
    text: `UPDATE calendar_invitees SET invited_at = coalesce(invited_at, now()), announced_sequence = $4
      WHERE identity_id = $1 AND event_id = $2 AND id = ANY($3::uuid[])`,
    values: [event.identityId, event.id, told, event.sequence],
  });
  return true;
}
