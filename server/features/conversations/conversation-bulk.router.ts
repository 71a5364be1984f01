import { identityProcedure } from '@/server/platform/trpc/trpc';
import {
  deleteConversationsInput,
  deletedConversationsSchema,
  restoreConversationsInput,
  restoredConversationsSchema,
  updateConversationsInput,
  updatedConversationsSchema,
} from './conversation-bulk.schema';
import { updateConversations } from './conversation-update.service';
import { deleteConversations, restoreConversations } from './trash.service';

const tags = ['Conversations'];
const path = '/conversations' as const;

/** What is done with several conversations at once. */
export const bulkProcedures = {
  updateMany: identityProcedure
    .meta({
      scope: 'conversations:write',
      openapi: {
        method: 'PATCH',
        path,
        tags,
        summary: 'Update several conversations',
        description:
          'Changes the given fields of up to 100 conversations: of all of them, or after an error of none. Snoozing spam or what is in the ' +
          'trash: 409 `conflict`.',
      },
      rest: { errors: [409] },
      events: ['conversation.updated'],
    })
    .input(updateConversationsInput)
    .output(updatedConversationsSchema)
    .mutation(({ ctx, input }) => updateConversations(ctx.actor, input)),

  restoreMany: identityProcedure
    .meta({
      scope: 'conversations:write',
      openapi: {
        method: 'POST',
        path: `${path}/restore`,
        tags,
        summary: 'Restore several conversations',
        description: 'Takes up to 100 conversations out of the trash.',
      },
      events: ['conversation.updated'],
    })
    .input(restoreConversationsInput)
    .output(restoredConversationsSchema)
    .mutation(({ ctx, input }) => restoreConversations(ctx.actor, input)),

  deleteMany: identityProcedure
    .meta({
      scope: 'conversations:write',
      openapi: {
        method: 'POST',
        path: `${path}/delete`,
        tags,
        summary: 'Delete several conversations',
        description:
          'Moves conversations to the trash: up to 100 by ID, all from one sender, or all spam. With `permanent`, or for the folder ' +
          '`trash`, they are permanently deleted, except those with a queued reply.',
      },
      events: ['conversation.updated', 'conversation.deleted'],
    })
    .input(deleteConversationsInput)
    .output(deletedConversationsSchema)
    .mutation(({ ctx, input }) => deleteConversations(ctx.actor, input)),
};
