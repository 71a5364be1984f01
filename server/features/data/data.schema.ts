import * as z from 'zod';

/** What an identity has records of, in the order of Settings → Data. */
export const dataKinds = [
  'conversations',
  'messages',
  'notes',
  'drafts',
  'labels',
  'blockedSenders',
  'mailboxes',
  'snippets',
  'customers',
  'contacts',
  'agents',
  'events',
  'posts',
  'outbox',
  'quarantine',
  'mergedConversations',
  'deletedMessages',
  'deletedRecords',
  'usage',
  'tasks',
  'eventLog',
  'deliveries',
  'audit',
  'security',
] as const;

/** Counting ends here: "100,000+". */
export const countedRecords = 100_000;

export const dataOverviewSchema = z.object({
  /** Attachments, original mail and pictures in bytes, as the plan counts them; a limit of -1 is unlimited. */
  files: z.object({ current: z.number(), limit: z.number() }),
  kinds: z.array(
    z.object({
      kind: z.enum(dataKinds),
      /** At most one more than `countedRecords`. */
      records: z.int(),
      /** Estimated from the size of some records. */
      bytes: z.number(),
      /** Days after which records are removed, 0: never; null if people delete them. */
      retentionDays: z.int().nullable(),
    }),
  ),
});

export type DataOverview = z.output<typeof dataOverviewSchema>;

export type DataKind = (typeof dataKinds)[number];
