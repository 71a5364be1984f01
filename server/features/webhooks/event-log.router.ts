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
        summary: 'Follow what happens',
        description:
          'Events oldest first; pass `nextCursor` back as `after`. No committed event is skipped. A key gets the events of what its scopes ' +
          'let it read. With `wait`, an empty answer is held until an event comes. Events are kept for 30 days unless the operator has set another time; a cursor older than that is refused.',
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
