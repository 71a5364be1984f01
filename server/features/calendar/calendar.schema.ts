import * as z from 'zod';
import {
  instant,
  instantOrDate,
  recordId,
  requiredText,
  text,
  timestamp,
  uuid,
  webAddress,
} from '@/server/platform/fields.schema';
import { frequencies } from '@/server/platform/ical/series';
import { eventLimits } from './calendar.limits';
import { answers, inviteeInput, inviteeSchema } from './invitee.schema';

export const eventColors = ['blue', 'green', 'red', 'purple', 'orange'] as const;

export type EventColor = (typeof eventColors)[number];

export const eventStatuses = ['confirmed', 'tentative', 'cancelled'] as const;

export type EventStatus = (typeof eventStatuses)[number];

/** `<provider_1>` of the specification is `zoom` (contract section 8). */
export const meetingProviders = ['zoom', 'google_meet', 'teams', 'custom'] as const;

export const reminderUnits = ['minutes', 'hours', 'days'] as const;

const minutesOf = { minutes: 1, hours: 60, days: 24 * 60 } as const;

/** A reminder's lead time in minutes. */
export function reminderMinutes({ value, unit }: { value: number; unit: (typeof reminderUnits)[number] }): number {
  return value * minutesOf[unit];
}

const timezone = z
  .string()
  .max(100)
  .meta({ description: 'IANA time zone, in which a series keeps its local time.', examples: ['Europe/Berlin'] });

export const virtualMeetingSchema = z
  .object({
    provider: z.enum(meetingProviders),
    url: webAddress,
    password: text(eventLimits.meetingPassword).optional(),
  })
  .meta({ id: 'VirtualMeeting' });

export type VirtualMeeting = z.output<typeof virtualMeetingSchema>;

export const reminderSchema = z
  .object({ type: z.literal('email'), value: z.int().min(0), unit: z.enum(reminderUnits) })
  .refine((reminder) => reminderMinutes(reminder) <= eventLimits.reminderMinutes, {
    error: 'must be at most a year before the event',
    path: ['value'],
  })
  .meta({ id: 'Reminder', examples: [{ type: 'email', value: 30, unit: 'minutes' }] });

export type Reminder = z.output<typeof reminderSchema>;

const agentSchema = z.object({ id: recordId, name: z.string(), avatarUrl: z.string() });

const listedFields = {
  id: recordId,
  title: z.string(),
  startTime: timestamp,
  endTime: timestamp,
  timezone: z.string(),
  allDay: z.boolean(),
  color: z.enum(eventColors),
  status: z.enum(eventStatuses),
  recurrence: z.enum(frequencies),
  location: z.string(),
  agent: agentSchema.nullable(),
};

export const eventSchema = z
  .object({
    id: recordId,
    identityId: recordId,
    title: z.string(),
    description: z.string(),
    startTime: timestamp.meta({ description: 'For a series, of the first occurrence.' }),
    endTime: timestamp,
    timezone: z.string(),
    allDay: z.boolean(),
    location: z.string(),
    virtualMeeting: virtualMeetingSchema.nullable(),
    color: z.enum(eventColors),
    recurrence: z.enum(frequencies),
    recurrenceEndDate: timestamp
      .nullable()
      .meta({ description: 'Inclusive. Exactly 00:00 UTC means that whole day in the event’s time zone.' }),
    status: z.enum(eventStatuses),
    sendEmailReminders: z.boolean(),
    agentId: recordId.nullable(),
    reminders: z.array(reminderSchema),
    invitees: z.array(inviteeSchema),
    agent: agentSchema.nullable(),
    revision: z.int().meta({ description: 'Incremented by every change of the event itself.' }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'CalendarEvent' });

export type EventRecord = z.output<typeof eventSchema>;

export const eventItemSchema = z
  .object({
    ...listedFields,
    invitees: z.array(inviteeSchema).meta({ description: 'Empty unless `includeInvitees` is true.' }),
    inviteeCount: z.int(),
    occurrenceStart: timestamp
      .meta({
        description:
          'With `expand=true`: the start of this occurrence. `startTime` and `endTime` are then those of the occurrence.',
      })
      .optional(),
  })
  .meta({ id: 'CalendarEventItem' });

export type EventItem = z.output<typeof eventItemSchema>;

/**
 * Leaves room on both sides for the whole days of any time zone, in years that calendars and databases write with four digits.
 */
const eventTime = instant.refine((time) => time >= '1000' && time < '9999', { error: 'must be in the years 1000 to 9998' });

const writableFields = {
  title: requiredText(eventLimits.title),
  description: text(eventLimits.description),
  startTime: eventTime.meta({ description: 'ISO 8601 with an offset.', examples: ['2026-11-24T09:00:00+01:00'] }),
  endTime: eventTime.meta({
    description: 'ISO 8601 with an offset; after `startTime`.',
    examples: ['2026-11-24T10:00:00+01:00'],
  }),
  timezone,
  allDay: z
    .boolean()
    .meta({ description: 'If true, the event takes whole days: all dates in `timezone` from `startTime` to `endTime`.' }),
  location: text(eventLimits.location),
  virtualMeeting: virtualMeetingSchema.nullable(),
  color: z.enum(eventColors),
  recurrence: z.enum(frequencies),
  recurrenceEndDate: instantOrDate
    .nullable()
    .meta({ description: 'Inclusive. A date, or 00:00 UTC, means that whole day in the event’s time zone.' }),
  agentId: uuid.nullable().meta({ description: 'The agent that sends the invitations.' }),
  sendEmailReminders: z.boolean().meta({
    description: 'If false, invitees get neither invitations nor reminders, unless `notifyAttendeesOfChanges` is true.',
  }),
  reminders: z.array(reminderSchema).max(eventLimits.reminders),
  invitees: z
    .array(inviteeInput)
    .max(eventLimits.invitees)
    .superRefine((list, context) => {
      const seen = new Set<string>();
      for (const [index, { email }] of list.entries()) {
        if (seen.has(email)) context.addIssue({ code: 'custom', message: 'is there more than once', path: [index, 'email'] });
        seen.add(email);
      }
    }),
};

export const createEventInput = z.object({
  ...writableFields,
  description: writableFields.description.default(''),
  timezone: writableFields.timezone.default('UTC'),
  allDay: writableFields.allDay.default(false),
  location: writableFields.location.default(''),
  virtualMeeting: writableFields.virtualMeeting.default(null),
  color: writableFields.color.default('blue'),
  recurrence: writableFields.recurrence.default('none'),
  recurrenceEndDate: writableFields.recurrenceEndDate.default(null),
  agentId: writableFields.agentId.default(null),
  sendEmailReminders: writableFields.sendEmailReminders.default(true),
  reminders: writableFields.reminders.default([]),
  invitees: writableFields.invitees.default([]),
});

export type CreateEventInput = z.output<typeof createEventInput>;

/** A client's input for a new event; the rest has defaults. */
export type CreateEventRequest = z.input<typeof createEventInput>;

/** An invalid UUID is treated as an unknown event (contract section 2). */
const eventId = z.string().meta({ format: 'uuid' });

export const eventIdInput = z.object({ eventId });

export const updateEventInput = z.object({
  ...z.object(writableFields).partial().shape,
  eventId,
  status: z.enum(eventStatuses).optional(),
  notifyAttendeesOfChanges: z
    .boolean()
    .meta({
      description:
        'If true, all invitees are emailed the change, and removed ones a cancellation. Otherwise only new invitees are emailed.',
    })
    .optional(),
  ifRevision: z
    .int()
    .min(1)
    .meta({
      deprecated: true,
      description:
        'The change is only made at this `revision`, otherwise the status is 409 `edited_elsewhere`. Will be removed in 1.0; use `If-Match` instead.',
    })
    .optional(),
});

/** Fields that invitees see, whose changes are announced to them. */
export const announcedFields = [
  'title',
  'description',
  'location',
  'startTime',
  'endTime',
  'timezone',
  'allDay',
  'virtualMeeting',
  'recurrence',
  'recurrenceEndDate',
  'status',
] as const;

export type UpdateEventInput = z.output<typeof updateEventInput>;

/** A client's input for a change of an event. */
export type UpdateEventRequest = z.input<typeof updateEventInput>;

export const listEventsInput = z.object({
  startDate: instantOrDate
    .meta({ description: 'Only events that end after this time. A date means 00:00 UTC of that day.' })
    .optional(),
  endDate: instantOrDate.meta({ description: 'Only events that start before this time.' }).optional(),
  agentId: uuid.optional(),
  includeInvitees: z.boolean().default(false),
  expand: z
    .boolean()
    .default(false)
    .meta({ description: 'Lists each occurrence of a series instead of the series. Requires `startDate` and `endDate`.' }),
  limit: z.int().min(1).max(2500).default(500).meta({ description: 'Page size, 1 to 2500.' }),
});

/** Maximum invitees on a page of a list; the event that exceeds it goes to the next page, and `hasMore` is set. */
export const listedInviteesMaximum = 50_000;

export type ListEventsInput = z.output<typeof listEventsInput>;

export const eventListSchema = z.object({
  events: z.array(eventItemSchema).meta({ description: 'Sorted by `startTime`.' }),
  count: z.int().meta({ description: 'Number of items in `events`.' }),
  hasMore: z.boolean().meta({ description: 'True if there are more than `limit`.' }),
});

export type EventList = z.output<typeof eventListSchema>;

export const eventAnswerSchema = z.object({ success: z.literal(true), event: eventSchema });

export type EventAnswer = z.output<typeof eventAnswerSchema>;

export const oneEventSchema = z.object({ event: eventSchema });

export const rsvpInput = z.object({ eventId, response: z.enum(answers) });

export type RsvpInput = z.output<typeof rsvpInput>;
