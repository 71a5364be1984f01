import type pg from 'pg';
import { validate } from 'uuid';
import { type CalendarReply, readReply } from '@/server/calendar/ics/read-reply';
import { rows } from '@/server/db/sql';
import { openStored } from '@/server/files/content-store';
import { log } from '@/server/log';
import type { ParsedAttachment, ParsedMail } from '@/server/mail/parsed-mail';
import type { Answer } from './calendar.schema';

/**
 * Answers by mail (iMIP, RFC 6047): calendars send a METHOD:REPLY with the UID of the event and the PARTSTAT of who answers. An answer
 * counts where the mail's sender is the invitee: other invitees know the UID as well.
 */

/** An answer as the mail gives it. */
export interface MailedAnswer {
  eventId: string;
  email: string;
  answer: Answer;
  /** When it was given; never in the future, so that a clock that is wrong does not outlast later answers. */
  at: Date;
  comment: string;
}

const maximumBytes = 1024 * 1024;
/** A reply has its calendar part once or twice: as an alternative, and as a file. */
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
  return Buffer.concat(chunks).toString('utf8');
}

function answersIn({ uid, isForOccurrence, answers, stamp, comment }: CalendarReply, sender: string, now: Date): MailedAnswer[] {
  // Answers to single dates of a series are for people to read: the series as a whole has one answer.
  if (isForOccurrence || !validate(uid)) return [];
  const own = answers.find(({ email }) => email === sender) ?? answers.find(({ email }) => email === null);
  if (!own?.response) return [];
  const at = stamp === null || stamp > now ? now : stamp;
  return [{ eventId: uid.toLowerCase(), email: sender, answer: own.response, at, comment }];
}

/** The answers that a mail brings; none in nearly every mail. */
export async function readMailedAnswers({ from, attachments }: ParsedMail, now = new Date()): Promise<MailedAnswer[]> {
  const sender = from.email.toLowerCase();
  if (sender === '') return [];
  const found = new Map<string, MailedAnswer>();
  for (const part of attachments.filter(isCalendar).slice(0, maximumParts)) {
    // What says nothing of a method, but comes back from an invitee with an answer in it, is one.
    const replies = readReply(await textOf(part), { method: 'REPLY' }) ?? [];
    for (const answer of replies.flatMap((reply) => answersIn(reply, sender, now))) found.set(answer.eventId, answer);
  }
  return [...found.values()];
}

/**
 * Records answers that came by mail, in the transaction that stores it. An older answer that comes after a newer one changes nothing.
 *
 * @returns true where all answers of the mail are recorded, and no more was said in them
 */
export async function recordMailedAnswers(
  client: pg.PoolClient,
  identityId: string,
  answers: readonly MailedAnswer[],
): Promise<boolean> {
  let known = 0;
  for (const { eventId, email, answer, at } of answers) {
    const recorded = await rows<{ isNews: boolean }>(client, {
      name: 'calendar-answer-by-mail',
      text: `WITH invited AS (
          SELECT id, coalesce(replied_at, '-infinity') <= $5 AND coalesce(answered_at, '-infinity') <= $5 AS news FROM calendar_invitees
          WHERE identity_id = $1 AND event_id = $2 AND email = $3 FOR UPDATE
        ), changed AS (
          UPDATE calendar_invitees v SET response = $4, answered_by = 'mail', answered_at = $5, replied_at = $5
          FROM invited WHERE v.id = invited.id AND invited.news
        ) SELECT news AS "isNews" FROM invited`,
      values: [identityId, eventId, email, answer, at],
    });
    known += recorded.length;
    if (recorded.length > 0) log().info({ eventId, isNews: recorded[0]?.isNews }, 'an invitation was answered by mail');
  }
  return known > 0 && known === answers.length && answers.every(({ comment }) => comment === '');
}
