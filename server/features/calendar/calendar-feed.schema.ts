import * as z from 'zod';
import { timestamp } from '@/server/platform/fields.schema';

/** The subscription URL of an identity's events; for the dashboard. */
export const calendarFeedSchema = z.object({
  url: z.url().nullable().meta({ description: 'Secret. Null without a subscription, and in answers that do not show it.' }),
  createdAt: timestamp.nullable(),
});

export type CalendarFeed = z.output<typeof calendarFeedSchema>;

export const calendarFileSchema = z.object({
  filename: z.string(),
  content: z.string().meta({ description: 'iCalendar (RFC 5545).' }),
});

export type CalendarFile = z.output<typeof calendarFileSchema>;
