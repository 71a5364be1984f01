import * as z from 'zod';
import { recordId, timestamp } from '@/server/platform/fields.schema';
import { conversationSchema } from '../conversations/conversation.schema';
import { consumptionSchema, usageStatsSchema } from '../usage/usage.schema';

/** Counts stop here; the UI shows "99+". */
export const countingLimit = 100;

/** An event on Home, or one occurrence of a series. */
const homeEventSchema = z.object({
  id: recordId,
  title: z.string(),
  location: z.string(),
  start: timestamp,
  end: timestamp,
  /** First and last date of an all-day event, the same for every viewer; null for other events. */
  days: z.object({ first: z.iso.date(), last: z.iso.date() }).nullable(),
  isTentative: z.boolean(),
  /** Start of the occurrence, as in the calendar's URL; null for a single event. */
  occurrenceStart: timestamp.nullable(),
});

export type HomeEvent = z.output<typeof homeEventSchema>;

const homeAgentSchema = z.object({
  id: recordId,
  name: z.string(),
  status: z.enum(['active', 'paused']),
  /** Tasks of the last three days whose latest execution failed; at most 100. */
  failures: z.int(),
  lastFailedAt: timestamp.nullable(),
  /** Whether its current address receives no mail from outside. */
  hasNoMail: z.boolean(),
});

export type HomeAgent = z.output<typeof homeAgentSchema>;

/** What needs the owner's attention, for the selected identity. */
export const homeSchema = z.object({
  /** The pulse at the time of this response: a different pulse means that this is out of date. */
  pulse: z.object({ version: z.string(), calendarVersion: z.string(), failedMails: z.int(), quarantined: z.int() }),
  conversations: z.object({
    waiting: z.int(),
    failed: z.int(),
    /** Nobody has answered yet. */
    open: z.int(),
    /** Most urgent first: failed, then waiting longest for a person, then open or unread ones. */
    urgent: z.array(
      conversationSchema.pick({ id: true, subject: true, counterpart: true, status: true, isRead: true, lastMessageAt: true }),
    ),
  }),
  /** `failed` leaves out replies of failed conversations, which are counted there. */
  mails: z.object({ failed: z.int(), quarantined: z.int() }),
  /**
   * Events that are not over, by start: all that may be today's in any viewer's zone, and at least one upcoming event, if there
   * is any within about a year.
   */
  events: z.array(homeEventSchema),
  /** Invitees of upcoming events who have not responded. */
  openAnswers: z.object({
    count: z.int(),
    events: z.array(
      homeEventSchema
        .pick({ id: true, title: true, start: true, days: true, occurrenceStart: true })
        .extend({ waiting: z.int() }),
    ),
  }),
  usage: usageStatsSchema,
  /** Projected usage at the end of the month. */
  projection: consumptionSchema,
  drafts: z.object({ count: z.int(), latest: z.array(z.object({ id: recordId, title: z.string(), updatedAt: timestamp })) }),
  agents: z.object({ paused: z.int(), failing: z.int(), withoutMail: z.int(), shown: z.array(homeAgentSchema) }),
});

export type Home = z.output<typeof homeSchema>;

/** Onboarding steps of a new business, in order. */
export const firstStepNames = [
  'profile',
  'mailIn',
  'firstMail',
  'agentVoice',
  'firstReply',
  'firstCustomer',
  'firstPublication',
  'apiCall',
] as const;

export type FirstStepName = (typeof firstStepNames)[number];

/** Onboarding progress, derived from the data of each step. */
export const firstStepsSchema = z.object({
  steps: z.array(
    z.object({
      name: z.enum(firstStepNames),
      isDone: z.boolean(),
      /** The setting that the operator has to make first; null if none is missing. */
      missingSetting: z.enum(['SMTP_URL']).nullable(),
    }),
  ),
  /** The agent to configure first; null if there is none. */
  agentId: recordId.nullable(),
});

export type FirstSteps = z.output<typeof firstStepsSchema>;
