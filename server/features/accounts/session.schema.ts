import * as z from 'zod';
import { recordId, timestamp, uuid } from '@/server/platform/fields.schema';

/** A browser with a signed-in session. */
export const sessionSchema = z.object({
  id: recordId,
  /** `Firefox`; null if the user agent is not recognized. */
  browser: z.string().nullable(),
  /** `Windows`, `iPhone`; null if it is not recognized. */
  system: z.string().nullable(),
  /** Client address at sign-in. */
  address: z.string(),
  createdAt: timestamp,
  /** Accurate to about a minute. */
  lastSeenAt: timestamp,
  /** The calling session. */
  isCurrent: z.boolean(),
});

export type SessionRecord = z.output<typeof sessionSchema>;

export const sessionListSchema = z.array(sessionSchema);

export const sessionIdInput = z.object({ id: uuid });

/** What else ends with the sessions. */
export const endSessionsInput = z.object({
  /** Private calendar links, which work without a session. */
  calendarLinks: z.boolean().default(false),
});

export type EndSessionsInput = z.output<typeof endSessionsInput>;

/** How many sessions ended. */
export const endedSessionsSchema = z.object({ ended: z.int() });
