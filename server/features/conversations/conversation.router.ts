import * as z from 'zod';
import { dashboardProcedure, identityProcedure, router } from '@/server/platform/trpc/trpc';
import { getAttachment } from './attachment.service';
import {
  conversationDetailSchema,
  conversationIdInput,
  conversationListSchema,
  listConversationsInput,
  liveCountsSchema,
  replyDraftSchema,
  threadInput,
  threadSchema,
  updateConversationInput,
} from './conversation.schema';
import {
  conversationUrl,
  getConversation,
  getThread,
  listConversations,
  listMessages,
  updateConversation,
} from './conversation.service';
import { getLiveCounts } from './live-counts.service';
import {
  attachmentIdInput,
  listMessagesInput,
  messageListSchema,
  messageSchema,
  replyInput,
  storedContentSchema,
} from './message.schema';
import { getReplyDraft, replyTo } from './reply.service';

const tags = ['Conversations'];
const path = '/conversations' as const;
const conversationPath = `${path}/{conversationId}` as const;

/** When `/email/thread` was deprecated (RFC 9745): 21 November 2026. */
const deprecation = `@${Date.UTC(2026, 10, 21) / 1000}`;

export const conversationsRouter = router({
  list: identityProcedure
    .meta({
      openapi: {
        method: 'GET',
        path,
        tags,
        summary: 'List conversations',
        description: 'By their newest message, the latest first. Archived conversations and spam are left out unless asked for.',
      },
    })
    .input(listConversationsInput)
    .output(conversationListSchema)
    .query(({ ctx, input }) => listConversations(ctx.actor, input)),

  get: identityProcedure
    .meta({ openapi: { method: 'GET', path: conversationPath, tags, summary: 'Get a conversation' } })
    .input(conversationIdInput)
    .output(conversationDetailSchema)
    .query(({ ctx, input }) => getConversation(ctx.actor, input.conversationId)),

  update: identityProcedure
    .meta({
      openapi: {
        method: 'PATCH',
        path: conversationPath,
        tags,
        summary: 'Change a conversation',
        description: 'Marks it as read, archived or spam, or moves its status. Only supplied fields change.',
      },
    })
    .input(updateConversationInput)
    .output(conversationDetailSchema)
    .mutation(({ ctx, input }) => updateConversation(ctx.actor, input)),

  messages: identityProcedure
    .meta({
      openapi: { method: 'GET', path: `${conversationPath}/messages`, tags, summary: 'List the messages of a conversation' },
    })
    .input(listMessagesInput)
    .output(messageListSchema)
    .query(({ ctx, input }) => listMessages(ctx.actor, input)),

  reply: identityProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: `${conversationPath}/messages`,
        tags,
        summary: 'Reply',
        description:
          'Answers the last message that came in, to all of its people unless `to` or `cc` say otherwise, from the address they wrote ' +
          'to. The reply is queued, and sent as soon as the mail server takes it.',
      },
      rest: { status: 201 },
    })
    .input(replyInput)
    .output(messageSchema)
    .mutation(({ ctx, input }) => replyTo(ctx.actor, input)),

  attachment: identityProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/attachments/{attachmentId}',
        tags,
        summary: 'Download an attachment',
        description: 'The bytes as they came in.',
      },
      rest: { download: true },
    })
    .input(attachmentIdInput)
    .output(storedContentSchema)
    .query(({ ctx, input }) => getAttachment(ctx.actor, input.attachmentId)),

  thread: identityProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/email/thread',
        tags,
        summary: 'Get a thread',
        description: 'Kept for older programs; new ones use `/conversations`. Needs one of the two ids.',
        deprecated: true,
      },
      rest: { errors: [404] },
    })
    .input(threadInput)
    .output(threadSchema)
    .query(async ({ ctx, input }) => {
      const answer = await getThread(ctx.actor, input);
      ctx.response.headers.set('Deprecation', deprecation);
      ctx.response.headers.set('Link', `<${conversationUrl(answer.thread.id)}>; rel="successor-version"`);
      return answer;
    }),

  replyDraft: dashboardProcedure
    .input(conversationIdInput)
    .output(replyDraftSchema)
    .query(({ ctx, input }) => getReplyDraft(ctx.actor, input.conversationId)),

  pulse: dashboardProcedure
    .input(z.object({}))
    .output(liveCountsSchema)
    .query(({ ctx }) => getLiveCounts(ctx.actor)),
});
