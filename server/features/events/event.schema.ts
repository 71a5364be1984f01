import * as z from 'zod';
import { recordId, timestamp } from '@/server/platform/fields.schema';

/** Longest wait of a long poll in seconds; tools give up on requests after 60. */
const maximumWait = 55;

const actorTypes = ['user', 'api_key', 'agent', 'system', 'guest'] as const;

export const eventActorSchema = z.object({
  type: z.enum(actorTypes).describe('`guest`: an invitee who responded to an invitation. `system`: Frontdesk itself.'),
  id: z.string().nullable(),
  name: z.string().nullable(),
});
export type EventActor = z.output<typeof eventActorSchema>;

const wholeData = z.object({
  object: z.record(z.string(), z.unknown()).describe('The resource as returned by GET, after the change.'),
  previousAttributes: z.record(z.string(), z.unknown()).optional().describe('The previous values of changed top-level fields.'),
});

const truncatedData = z.object({
  truncated: z.literal(true),
  url: z.string().describe('Where to read the resource, which is larger than 20 kB.'),
});

export const eventSchema = z
  .object({
    id: recordId,
    type: z.string(),
    createdAt: timestamp,
    object: z.object({
      type: z.string(),
      id: z.string(),
      version: z.int().describe('Incremented by every change of the object.'),
    }),
    data: z.union([truncatedData, wholeData]),
    actor: eventActorSchema,
    requestId: z.string().nullable(),
  })
  .meta({ id: 'FrontdeskEvent' });
export type EventRecord = z.output<typeof eventSchema>;

const patternSyntax = /^(?:\*|[a-z_]+(?:\.[a-z_]+)*(?:\.\*)?)$/;

/** Patterns of event types, for example `customer.*`. */
const typePatterns = z
  .string()
  .max(2_000)
  .transform((text) => text.split(',').map((part) => part.trim()))
  .refine((patterns) => patterns.length <= 50 && patterns.every((pattern) => patternSyntax.test(pattern)), {
    message: 'must be types such as customer.created, or patterns such as customer.*, separated by commas',
  });

export const readEventsInput = z.object({
  after: z
    .string()
    .max(200)
    .optional()
    .describe('`nextCursor` of the answer before, or `now` for events from here on; without it, from the oldest kept event'),
  types: typePatterns.optional().describe('Only these types, separated by commas: `customer.created`, `blog.*`'),
  limit: z.int().min(1).max(100).default(50),
  wait: z.int().min(0).max(maximumWait).default(0).describe('Seconds to wait for an event if there is none yet.'),
});
export type ReadEventsInput = z.output<typeof readEventsInput>;

export const eventPageSchema = z.object({
  events: z.array(eventSchema),
  nextCursor: z.string().describe('For `after`; also present if there are no events.'),
  hasMore: z.boolean().describe('True if more events can be read immediately.'),
});
export type EventPage = z.output<typeof eventPageSchema>;

export const readHistoryInput = z.object({
  /** `next` of the page before; without it, from the newest event. */
  before: z.string().max(200).optional(),
  types: typePatterns.optional(),
  limit: z.int().min(1).max(100).default(50),
});
export type ReadHistoryInput = z.output<typeof readHistoryInput>;

export const eventHistorySchema = z.object({
  /** Newest first. */
  events: z.array(eventSchema),
  /** Start of the next, older page; null on the last one. A page may have few events, or none, and still a next one. */
  next: z.string().nullable(),
});
export type EventHistory = z.output<typeof eventHistorySchema>;
