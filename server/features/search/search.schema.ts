import * as z from 'zod';
import { requiredText, uuid } from '@/server/platform/fields.schema';

/** What the dashboard's search finds, in the order in which it shows it. */
export const recordKinds = ['customer', 'conversation', 'event', 'agent', 'post', 'apiKey'] as const;

export type RecordKind = (typeof recordKinds)[number];

/** Most records of each kind. */
const recordsPerKind = 5;

/** Below this many characters nearly everything would match, and no index of trigrams helps. */
export const searchMinimum = 2;

/** The longest text the search looks for; that of the lists it asks. */
export const searchMaximum = 200;

export const searchRecordsInput = z.object({
  query: requiredText(searchMaximum),
  limit: z.int().min(1).max(recordsPerKind).default(recordsPerKind),
});

export type SearchRecordsInput = z.output<typeof searchRecordsInput>;

export const foundRecordSchema = z.object({
  id: uuid,
  /** What it is called; empty where it has no name, such as a mail without a subject. */
  title: z.string(),
  /** What tells it from others of the same name, in a few words; may be empty. */
  detail: z.string(),
  /** When it takes place, of an event. */
  at: z.iso.datetime().nullable(),
});

export type FoundRecord = z.output<typeof foundRecordSchema>;

export const foundRecordsSchema = z.object({
  /** Only kinds of which something was found. */
  groups: z.array(
    z.object({
      kind: z.enum(recordKinds),
      records: z.array(foundRecordSchema),
      /** True where there are more than these. */
      hasMore: z.boolean(),
    }),
  ),
  /** Kinds that took too long and are missing. */
  late: z.array(z.enum(recordKinds)),
});

export type FoundRecords = z.output<typeof foundRecordsSchema>;
