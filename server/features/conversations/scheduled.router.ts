import { identityProcedure, router } from '@/server/platform/trpc/trpc';
import { cancelMessage } from './cancel.service';
import { cancelledMessageSchema, cancelMessageInput, listScheduledInput, scheduledEmailListSchema } from './scheduled.schema';
import { listScheduled } from './scheduled.service';

const tags = ['Conversations'];

/** Emails that are not sent yet. */
export const scheduledEmailsRouter = router({
  list: identityProcedure
    .meta({
      scope: 'conversations:read',
      openapi: {
        method: 'GET',
        path: '/scheduled-emails',
        tags,
        summary: 'List scheduled emails',
        description: 'Emails of the business that are sent later, the next one first.',
      },
    })
    .input(listScheduledInput)
    .output(scheduledEmailListSchema)
    .query(({ ctx, input }) => listScheduled(ctx.actor, input)),

  cancel: identityProcedure
    .meta({
      scope: 'conversations:send',
      openapi: {
        method: 'POST',
        path: '/conversations/{conversationId}/messages/{messageId}/cancel',
        tags,
        summary: 'Cancel an email',
        description:
          'Cancels an email that is not sent yet: one that is scheduled, held or queued. It becomes a draft of the caller with the same ' +
          'recipients, text and attachments; a conversation that it began is deleted. What others have written also needs `conversations:read`. 409 `conflict` if it is being sent or was sent.',
      },
      rest: { errors: [409] },
      events: ['message.deleted', 'conversation.updated', 'conversation.deleted'],
    })
    .input(cancelMessageInput)
    .output(cancelledMessageSchema)
    .mutation(({ ctx, input }) => cancelMessage(ctx.actor, input)),
});
