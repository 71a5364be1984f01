import * as z from 'zod';
import { timestamp, uuid } from '@/server/platform/fields.schema';

/** A browser in which somebody is signed in. */
export const sessionSchema = z.object({
  id: uuid,
  /** `Firefox`; null where the browser said nothing known. */
  browser: z.string().nullable(),
  /** `Windows`, `iPhone`; null likewise. */
  system: z.string().nullable(),
  /** Where it signed in from. */
  address: z.string(),
  createdAt: timestamp,
  /** To the minute or so. */
  lastSeenAt: timestamp,
  /** The one that asks. */
  isCurrent: z.boolean(),
});

export type SessionRecord = z.output<typeof sessionSchema>;

export const sessionListSchema = z.array(sessionSchema);

export const sessionIdInput = z.object({ id: uuid });

/** How many sessions ended. */
export const endedSessionsSchema = z.object({ ended: z.int() });
