import * as z from 'zod';
import { successSchema } from '@/server/platform/fields.schema';
import { dashboardProcedure, identityProcedure, router } from '@/server/platform/trpc/trpc';
import { availabilityInput, availabilitySchema } from './availability.schema';
import { getAvailability } from './availability.service';
import {
  createEventInput,
  eventAnswerSchema,
  eventIdInput,
  eventListSchema,
  listEventsInput,
  oneEventSchema,
  rsvpInput,
  updateEventInput,
} from './calendar.schema';
import { calendarFeedSchema, calendarFileSchema } from './calendar-feed.schema';
import { createEvent, eventVersion, getEvent, listEvents, updateEvent } from './event.service';
import { deleteEvent, restoreEvent } from './event-deletion.service';
import { exportEvent, getFeed, renewFeed, revokeFeed, showFeed } from './feed.service';
import { respond } from './rsvp.service';

const tags = ['Calendar'];
const path = '/calendar/events' as const;
const oneEvent = `${path}/{eventId}` as const;

export const calendarRouter = router({
  list: identityProcedure
    .meta({
      scope: 'calendar:read',
      openapi: {
        method: 'GET',
        path,
        tags,
        summary: 'List events',
        description:
          'Sorted by start. A series is one item, listed if any of its occurrences is in the range; with `expand=true`, each occurrence is an item.',
      },
    })
    .input(listEventsInput)
    .output(eventListSchema)
    .query(({ ctx, input }) => listEvents(ctx.actor, input)),

  create: identityProcedure
    .meta({
      scope: 'calendar:write',
      agentField: 'agentId',
      sends: 'invitees are emailed',
      openapi: {
        method: 'POST',
        path,
        tags,
        summary: 'Create an event',
        description:
          'Invitees are emailed an invitation for their calendar, with a link to respond, unless `sendEmailReminders` is false.',
      },
      rest: { status: 201, errors: [404] },
      events: ['calendar.event.created'],
    })
    .input(createEventInput)
    .output(eventAnswerSchema)
    .mutation(({ ctx, input }) => createEvent(ctx.actor, input)),

  get: identityProcedure
    .meta({ scope: 'calendar:read', openapi: { method: 'GET', path: oneEvent, tags, summary: 'Get an event' } })
    .input(eventIdInput)
    .output(oneEventSchema)
    .version(eventVersion)
    .query(({ ctx, input }) => getEvent(ctx.actor, input.eventId)),

  update: identityProcedure
    .meta({
      scope: 'calendar:write',
      sends: 'invitees are emailed, now or by a reminder',
      openapi: {
        method: 'PATCH',
        path: oneEvent,
        tags,
        summary: 'Update an event',
        description:
          'Only the given fields change; `invitees` replaces the list, matched by email address. To cancel an event and notify its invitees, set `status` to `cancelled` and `notifyAttendeesOfChanges` to true.',
      },
      rest: { errors: [409] },
      events: ['calendar.event.updated', 'calendar.event.cancelled'],
    })
    .input(updateEventInput)
    .output(eventAnswerSchema)
    .mutation(({ ctx, input }) => updateEvent(ctx.actor, input)),

  delete: identityProcedure
    .meta({
      scope: 'calendar:write',
      openapi: {
        method: 'DELETE',
        path: oneEvent,
        tags,
        summary: 'Delete an event',
        description: 'Guests aren’t notified. To notify them, cancel it first. It can be restored for 30 days.',
      },
      events: ['calendar.event.deleted'],
    })
    .input(eventIdInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => deleteEvent(ctx.actor, input.eventId)),

  restore: identityProcedure
    .meta({
      scope: 'calendar:write',
      sends: 'invitees are emailed by a reminder',
      openapi: {
        method: 'POST',
        path: `${oneEvent}/restore`,
        tags,
        summary: 'Restore a deleted event',
        description:
          'Possible for 30 days after deletion; the event keeps its ID, invitees, responses and reminders. Guests aren’t notified. Restoring an event that isn’t deleted changes nothing.',
      },
      rest: { bodyOptional: true, unconditional: true },
      events: ['calendar.event.created'],
    })
    .input(eventIdInput)
    .output(eventAnswerSchema)
    .mutation(({ ctx, input }) => restoreEvent(ctx.actor, input.eventId)),

  rsvp: identityProcedure
    .meta({
      scope: 'calendar:write',
      openapi: {
        method: 'POST',
        path: `${oneEvent}/rsvp`,
        tags,
        summary: 'Respond to an invitation',
        description:
          'For invitees who use this installation: records the response for this identity’s address, or its owner’s, on an event of any identity.',
      },
      rest: { unconditional: true },
      events: ['calendar.invitee.responded'],
    })
    .input(rsvpInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => respond(ctx.actor, input)),

  availability: identityProcedure
    .meta({
      scope: 'calendar:read',
      openapi: {
        method: 'GET',
        path: '/calendar/availability',
        tags,
        summary: 'Check availability',
        description:
          'An event that ends when the range starts is not a conflict. Tentative events count, cancelled ones don’t; each occurrence of a series counts.',
      },
    })
    .input(availabilityInput)
    .output(availabilitySchema)
    .query(({ ctx, input }) => getAvailability(ctx.actor, input)),

  feed: dashboardProcedure
    .meta({ scope: 'calendar:read' })
    .input(z.object({}))
    .output(calendarFeedSchema)
    .query(({ ctx }) => getFeed(ctx.actor)),

  /** The link is a secret that outlives the session, so it is not simply read. */
  showFeed: dashboardProcedure
    .meta({ scope: 'calendar:read', fresh: true, events: [] })
    .input(z.object({}))
    .output(calendarFeedSchema)
    .mutation(({ ctx }) => showFeed(ctx.actor)),

  renewFeed: dashboardProcedure
    .meta({ scope: 'calendar:read', fresh: true, events: [] })
    .input(z.object({}))
    .output(calendarFeedSchema)
    .mutation(({ ctx }) => renewFeed(ctx.actor)),

  revokeFeed: dashboardProcedure
    .meta({ scope: 'calendar:read', fresh: true, events: [] })
    .input(z.object({}))
    .output(calendarFeedSchema)
    .mutation(({ ctx }) => revokeFeed(ctx.actor)),

  exportEvent: dashboardProcedure
    .meta({ scope: 'calendar:read' })
    .input(eventIdInput)
    .output(calendarFileSchema)
    .query(({ ctx, input }) => exportEvent(ctx.actor, input.eventId)),
});
