import * as z from 'zod';
import { timestamp, uuid } from '@/server/platform/fields.schema';
import { conversationSchema } from '../conversations/conversation.schema';
import { consumptionSchema, usageStatsSchema } from '../usage/usage.schema';

/** Counts end here; what shows them says "99+". */
export const countingLimit = 100;

/** An event on Home, or one occurrence of a series. */
const homeEventSchema = z.object({
  id: uuid,
  title: z.string(),
  location: z.string(),
  start: timestamp,
  end: timestamp,
  /** Of whole days, the first and the last date, which are the same for every viewer; null for an event with a time. */
  days: z.object({ first: z.iso.date(), last: z.iso.date() }).nullable(),
  isTentative: z.boolean(),
  /** When the occurrence starts, as the calendar's address names it; null for what happens once. */
  occurrenceStart: timestamp.nullable(),
});

export type HomeEvent = z.output<typeof homeEventSchema>;

const homeAgentSchema = z.object({
  id: uuid,
  name: z.string(),
  status: z.enum(['active', 'paused']),
  /** Tasks whose latest execution failed, of those of the last three days; at most 100. */
  failures: z.int(),
  lastFailedAt: timestamp.nullable(),
});

export type HomeAgent = z.output<typeof homeAgentSchema>;

/** What needs the owner now. Everything in it belongs to the identity at hand. */
export const homeSchema = z.object({
  /** As the pulse had it when this was put together: where the pulse says something else, this is out of date. */
  pulse: z.object({ version: z.string(), calendarVersion: z.string(), failedMails: z.int(), quarantined: z.int() }),
  conversations: z.object({
    unread: z.int(),
    waiting: z.int(),
    failed: z.int(),
    /** The most urgent first: what failed, what has waited longest for a person, what nobody has read. */
    urgent: z.array(
      conversationSchema.pick({ id: true, subject: true, counterpart: true, status: true, isRead: true, lastMessageAt: true }),
    ),
  }),
  mails: z.object({ failed: z.int(), quarantined: z.int() }),
  /**
   * Events that are not over, by start: all that could be today's wherever the viewer is, and at least one that is yet to begin, if
   * there is any within a year or so.
   */
  events: z.array(homeEventSchema),
  /** Invitees of coming events who have not answered. */
  openAnswers: z.object({
    count: z.int(),
    events: z.array(
      homeEventSchema
        .pick({ id: true, title: true, start: true, days: true, occurrenceStart: true })
        .extend({ waiting: z.int() }),
    ),
  }),
  usage: usageStatsSchema,
  /** What the month will have used at its end if it goes on like this. */
  projection: consumptionSchema,
  drafts: z.object({ count: z.int(), latest: z.array(z.object({ id: uuid, title: z.string(), updatedAt: timestamp })) }),
  agents: z.object({ paused: z.int(), failing: z.int(), shown: z.array(homeAgentSchema) }),
});

export type Home = z.output<typeof homeSchema>;

/** What a new business does first, in a sensible order. */
export const firstStepNames = [
  'profile',
  'apiCall',
  'mailIn',
  'firstMail',
  'agentVoice',
  'firstReply',
  'firstCustomer',
  'firstPublication',
] as const;

export type FirstStepName = (typeof firstStepNames)[number];

/** How far a business has come. Each step is found out from its data; nobody ticks it. */
export const firstStepsSchema = z.object({
  steps: z.array(
    z.object({
      name: z.enum(firstStepNames),
      isDone: z.boolean(),
      /** The setting that whoever runs the installation has to make first; null where nothing is in the way. */
      missingSetting: z.enum(['INBOUND_SMTP_PORT', 'SMTP_URL']).nullable(),
    }),
  ),
  /** The agent to begin with; null where there is none. */
  agentId: uuid.nullable(),
});

export type FirstSteps = z.output<typeof firstStepsSchema>;
