import { eventHistorySchema, eventPageSchema, readEventsInput, readHistoryInput } from '@/server/features/events/event.schema';
import { dashboardProcedure, identityProcedure, router } from '@/server/platform/trpc/trpc';
import { followEvents, pastEvents } from './event-log.service';

export const eventLogRouter = router({
  read: identityProcedure
    .meta({
      scope: 'events:read',
      openapi: {
        method: 'GET',
        path: '/event-log',
        tags: ['Events'],
        summary: 'Follow events',
        description:
          'Oldest first; pass `nextCursor` as `after` to continue. No event is ever skipped. A key gets the events of the resources that ' +
          'its scopes can read. With `wait`, the response is held until there is an event. Events are kept for 30 days unless the ' +
          'operator has changed this; older cursors are rejected.',
      },
    })
    .input(readEventsInput)
    .output(eventPageSchema)
    .query(({ ctx, input }) => followEvents(ctx.actor, input, ctx)),

  history: dashboardProcedure
    .meta({ scope: 'events:read' })
    .input(readHistoryInput)
    .output(eventHistorySchema)
    .query(({ ctx, input }) => pastEvents(ctx.actor, input)),
});
