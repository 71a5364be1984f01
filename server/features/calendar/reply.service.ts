import type pg from 'pg';
import { validate } from 'uuid';
import type { Author } from '@/server/platform/actor';
import { identities } from '@/server/platform/auth/accounts.sql';
import { rows } from '@/server/platform/db/sql';
import { openStored } from '@/server/platform/files/content-store';
import { type CalendarReply, readReply } from '@/server/platform/ical/ics/read-reply';
import { log } from '@/server/platform/log';
import { normalizeAddress } from '@/server/platform/mail/mail-addresses';
import type { ParsedAttachment, ParsedMail } from '@/server/platform/mail/parsed-mail';
import { answering } from './event.log';
import { unlessDeleted } from './event.record';
import type { Answer } from './invitee.schema';

/**
 * Replies by mail (iMIP, RFC 6047): calendars send a METHOD:REPLY with the UID of the event and the PARTSTAT of the invitee. A
 * reply counts only if the mail's sender is the invitee, because other invitees know the UID as well. Both the From header and
 * MAIL FROM can be forged, so these answers are unverified, and the message stays unread.
 */

/** A reply as contained in the mail. */
export interface MailedAnswer {
  eventId: string;
  email: string;
  answer: Answer;
  /** When it was given; never in the future, so that a wrong clock does not override later replies. */
  at: Date;
  /** SEQUENCE of the event in the invitee's calendar. */
  sequence: number | null;
}

/** Far more than any reply has; reading it holds the event loop. */
const maximumBytes = 256 * 1024;
/** A reply contains its calendar part once or twice: as an alternative, and as a file. */
const maximumParts = 3;

function isCalendar({ contentType, filename, size }: ParsedAttachment): boolean {
  const isNamedSo = contentType === 'text/calendar' || contentType === 'application/ics' || /\.ics$/i.test(filename);
  return isNamedSo && size <= maximumBytes;
}

async function textOf({ sha256 }: ParsedAttachment): Promise<string> {
  const stored = await openStored(sha256);
  if (!stored) return '';
  const chunks: Buffer[] = [];
  for await (const chunk of stored.stream) chunks.push(chunk as Buffer);
  return decoded(Buffer.concat(chunks));
}

/** UTF-8, unless every other byte at the beginning is zero: calendars are mostly ASCII, and old programs write UTF-16. */
function decoded(bytes: Buffer): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return new TextDecoder('utf-16le').decode(bytes);
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return new TextDecoder('utf-16be').decode(bytes);
  return bytes.toString('utf8');
}

function answerIn(
  { uid, isForOccurrence, answers, stamp, sequence }: CalendarReply,
  sender: string,
  now: Date,
): MailedAnswer | null {
  // Replies to single dates of a series are left to people: a series has one response as a whole.
  if (isForOccurrence || !validate(uid)) return null;
  const own =
    answers.find(({ email }) => email !== null && normalizeAddress(email) === sender) ??
    answers.find(({ email }) => email === null);
  if (!own?.response) return null;
  const at = stamp === null || stamp > now ? now : stamp;
  return { eventId: uid.toLowerCase(), email: sender, answer: own.response, at, sequence };
}

/** Reads the replies in a message; most have none. */
export async function readMailedAnswers({ from, attachments }: ParsedMail, now = new Date()): Promise<MailedAnswer[]> {
  const sender = from.email.toLowerCase();
  if (sender === '') return [];
  const found = new Map<string, MailedAnswer>();
  for (const part of attachments.filter(isCalendar).slice(0, maximumParts)) {
    // A calendar part without a method counts as a reply if it comes from an invitee and contains a response.
    const replies = readReply(await textOf(part), { method: 'REPLY' }) ?? [];
    for (const reply of replies) {
      const answer = answerIn(reply, sender, now);
      if (answer) found.set(answer.eventId, answer);
    }
  }
  return [...found.values()];
}

/**
 * Records replies by mail, in the transaction that stores the mail. A reply to earlier times of the event does not apply to its
 * current ones, one that comes again does not replace what was answered since, and an older reply does not replace a newer one, unless that one came from a clock that was ahead. The
 * identity's own address always counts as accepted.
 */
export async function recordMailedAnswers(
  client: pg.PoolClient,
  identityId: string,
  answers: readonly MailedAnswer[],
): Promise<void> {
  // In one order, since each locks its event.
  for (const answer of answers.toSorted((one, other) => one.eventId.localeCompare(other.eventId))) {
    const { eventId, email: guest } = answer;
    const event = { identityId, eventId, guest };
    const author: Author = { kind: 'system', cause: 'mail' };
    // Any UID can be written into a mail.
    const isRecorded = await answering(client, author, event, () => record(client, identityId, answer)).catch(unlessDeleted);
    if (isRecorded) log().info({ eventId }, 'an invitation was answered by mail');
  }
}

async function record(
  client: pg.PoolClient,
  identityId: string,
  { eventId, email, answer, at, sequence }: MailedAnswer,
): Promise<boolean> {
  // Sender timestamps are compared only with each other; responses by other ways count from their arrival.
  const recorded = await rows(client, {
    name: 'calendar-answer-by-mail',
    text: `UPDATE calendar_invitees v SET response = $4, answered_by = 'mail', answered_at = $5, replied_at = $5, answer_verified = false
      FROM calendar_events e, ${identities} i
      WHERE v.identity_id = $1 AND v.event_id = $2 AND v.email = $3 AND e.id = v.event_id AND i.id = v.identity_id
        AND v.email IS DISTINCT FROM i.address AND (v.replied_at IS NULL OR v.replied_at < $5
          OR (v.replied_at = $5 AND v.answered_at = $5) OR v.replied_at > now() + interval '1 hour')
        AND coalesce($6, e.sequence) >= least(e.rescheduled_sequence, coalesce(v.announced_sequence, 0))
      RETURNING 1`,
    values: [identityId, eventId, email, answer, at, sequence],
  });
  return recorded.length > 0;
}
