import * as z from 'zod';
import { recordId, requiredText, timestamp } from '@/server/platform/fields.schema';

/** Record kinds of the dashboard's search, in display order. */
export const recordKinds = ['customer', 'conversation', 'event', 'agent', 'post', 'apiKey'] as const;

export type RecordKind = (typeof recordKinds)[number];

/** Maximum records per kind. */
const recordsPerKind = 5;

/** A shorter query would match nearly everything, and trigram indexes would not help. In characters. */
export const searchMinimum = 2;

/** Maximum length of a query, the same as that of the lists it searches. */
export const searchMaximum = 200;

export const searchRecordsInput = z.object({
  query: requiredText(searchMaximum),
  limit: z.int().min(1).max(recordsPerKind).default(recordsPerKind),
});

export type SearchRecordsInput = z.output<typeof searchRecordsInput>;

export const foundRecordSchema = z.object({
  id: recordId,
  /** Display name; empty for records without one, such as a mail without a subject. */
  title: z.string(),
  /** A few words that distinguish records of the same name; may be empty. */
  detail: z.string(),
  /** Start of an event. */
  at: timestamp.nullable(),
});

export type FoundRecord = z.output<typeof foundRecordSchema>;

export const foundRecordsSchema = z.object({
  /** Only kinds with results. */
  groups: z.array(
    z.object({
      kind: z.enum(recordKinds),
      records: z.array(foundRecordSchema),
      /** True if there are more results. */
      hasMore: z.boolean(),
    }),
  ),
  /** Kinds that timed out and are missing. */
  late: z.array(z.enum(recordKinds)),
});

export type FoundRecords = z.output<typeof foundRecordsSchema>;
