import type pg from 'pg';
import { v7 } from 'uuid';
import type { IdentityActor, SessionActor } from '@/server/platform/actor';
import { identities } from '@/server/platform/auth/accounts.sql';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { type PrismaTransaction, transaction } from '@/server/platform/db/transaction';
import { writeFeed, writeSingle } from '@/server/platform/ical/ics/write-calendar';
import type { CalendarFeed, CalendarFile } from './calendar-feed.schema';
import { type CalendarSource, icsEvent } from './event.mails';
import { findEvent } from './event.record';
import { feedKeyOf, feedUrl } from './signed-link.service';

type PersonActor = SessionActor & IdentityActor;

interface FeedRow {
  keyId: string;
  createdAt: string;
}

function toFeed(row: FeedRow | undefined): CalendarFeed {
  return { url: row ? feedUrl(row.keyId) : null, createdAt: row?.createdAt ?? null };
}

/** Whether a member has a subscription URL; not the URL itself, which goes on working when the session has ended. */
export async function getFeed(actor: PersonActor): Promise<CalendarFeed> {
  return { ...(await showFeed(actor)), url: null };
}

/** A member's own subscription URL, if they have one. It ends with their membership. */
export async function showFeed({ identityId, userId }: PersonActor): Promise<CalendarFeed> {
  const [row] = await rows<FeedRow>(pool(), {
    name: 'calendar-feed',
    isoTimes: true,
    text: 'SELECT key_id AS "keyId", created_at AS "createdAt" FROM calendar_feeds WHERE identity_id = $1 AND user_id = $2',
    values: [identityId, userId],
  });
  return toFeed(row);
}

/** Creates a new URL; the previous one stops working. */
export async function renewFeed(actor: PersonActor): Promise<CalendarFeed> {
  const [row] = await transaction(actor, (client) =>
    rows<FeedRow>(client, {
      name: 'calendar-feed-renew',
      isoTimes: true,
      text: `INSERT INTO calendar_feeds (identity_id, user_id, key_id) VALUES ($1, $2, $3)
        ON CONFLICT (identity_id, user_id) DO UPDATE SET key_id = excluded.key_id, created_at = now()
        RETURNING key_id AS "keyId", created_at AS "createdAt"`,
      values: [actor.identityId, actor.userId, v7()],
    }),
  );
  return toFeed(row);
}

/** Ends the subscription: the URL stops working. */
export async function revokeFeed(actor: PersonActor): Promise<CalendarFeed> {
  const { identityId, userId } = actor;
  await transaction(actor, (client) =>
    client.query('DELETE FROM calendar_feeds WHERE identity_id = $1 AND user_id = $2', [identityId, userId]),
  );
  return toFeed(undefined);
}

/** Ends the subscriptions of an account in all businesses, in the caller's transaction. */
export async function removeFeeds(tx: PrismaTransaction, userId: string): Promise<void> {
  await tx.calendarFeed.deleteMany({ where: { userId } });
}

/** Ends all feeds of a business that is being deleted. */
export async function endFeeds(client: pg.PoolClient, identityId: string): Promise<void> {
  await client.query({
    name: 'calendar-feeds-end',
    text: 'DELETE FROM calendar_feeds WHERE identity_id = $1',
    values: [identityId],
  });
}

export interface FeedSource {
  identityId: string;
  name: string;
  /** Changes whenever the feed may have changed. */
  version: string;
}

/** The calendar of a feed's URL; null if it was revoked or never existed. */
export async function findFeed(token: string): Promise<FeedSource | null> {
  const keyId = feedKeyOf(token);
  if (keyId === null) return null;
  const [source] = await rows<FeedSource>(pool(), {
    name: 'calendar-feed-source',
    text: `SELECT f.identity_id AS "identityId", coalesce(nullif(i.display_name, ''), i.handle) AS name,
        coalesce((SELECT sum(changes) FROM calendar_changes c WHERE c.identity_id = f.identity_id), 0)::text || ':' || i.row_version::text AS version
      FROM calendar_feeds f JOIN ${identities} i ON i.id = f.identity_id WHERE f.key_id = $1`,
    values: [keyId],
  });
  return source ?? null;
}

/** Days of past events in a feed, and its maximum number of events: those without an end first, then the latest ones. */
const pastDays = 366;
const maximumEvents = 5_000;

async function feedEvents(identityId: string): Promise<CalendarSource[]> {
  return rows<CalendarSource>(pool(), {
    name: 'calendar-feed-events',
    isoTimes: true,
    text: `SELECT id, title, description, location, start_at AS "startTime", end_at AS "endTime", timezone,
        all_day AS "allDay", virtual_meeting AS "virtualMeeting", recurrence, recurrence_end_at AS "recurrenceEndDate", status,
        sequence, created_at AS "createdAt", updated_at AS "updatedAt"
      FROM calendar_events
      WHERE identity_id = $1 AND (over_at IS NULL OR over_at > now() - interval '${pastDays} days')
      ORDER BY over_at DESC, start_at DESC, id DESC LIMIT ${maximumEvents}`,
    values: [identityId],
  });
}

/** The feed's content: iCalendar with titles, times and places, without anyone's address. */
export async function writeCalendarFeed({ identityId, name }: FeedSource): Promise<string> {
  const found = await feedEvents(identityId);
  const newest = Math.max(0, ...found.map(({ updatedAt }) => Date.parse(updatedAt)));
  const events = found.map((event) => icsEvent(event, null, []));
  return writeFeed({ name, events, stamp: new Date(newest) });
}

/** One event as a file for any calendar program. @throws AppError not_found */
export async function exportEvent({ identityId }: IdentityActor, eventId: string): Promise<CalendarFile> {
  const event = await findEvent(pool(), identityId, eventId);
  const slug = event.title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return { filename: `${slug || 'event'}.ics`, content: writeSingle(icsEvent(event, null, []), new Date(event.updatedAt)) };
}
