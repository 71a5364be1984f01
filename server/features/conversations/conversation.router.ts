import * as z from 'zod';
import { dashboardProcedure, identityProcedure } from '@/server/platform/trpc/trpc';
import { newEmailDraftInput, newEmailDraftSchema, replyDraftSchema } from './composer.schema';
import {
  conversationDetailSchema,
  conversationIdInput,
  conversationListSchema,
  deleteConversationInput,
  deletedConversationSchema,
  listConversationsInput,
  liveCountsSchema,
  newConversationSchema,
  presenceInput,
  presenceSchema,
  threadInput,
  threadSchema,
  updateConversationInput,
} from './conversation.schema';
import { conversationUrl, conversationVersion, getConversation, getThread, listConversations } from './conversation.service';
import { updateConversation } from './conversation-update.service';
import { getLiveCounts } from './live-counts.service';
import { newConversationInput } from './message.schema';
import { getNewEmailDraft, startConversation } from './new-conversation.service';
import { addNoteInput, listNotesInput, noteListSchema, noteSchema } from './note.schema';
import { addNote, listNotes } from './note.service';
import { notePresence } from './presence.service';
import { getReplyDraft } from './reply.service';
import { deleteConversation, restoreConversation } from './trash.service';

const tags = ['Conversations'];
const path = '/conversations' as const;
const conversationPath = `${path}/{conversationId}` as const;

/** When `/email/thread` was deprecated (RFC 9745): 21 November 2026. */
const deprecation = `@${Date.UTC(2026, 10, 21) / 1000}`;

/** What is done with one conversation and its notes, and their list. */
export const conversationProcedures = {
  list: identityProcedure
    .meta({
      scope: 'conversations:read',
      openapi: {
        method: 'GET',
        path,
        tags,
        summary: 'List conversations',
        description:
          'Sorted by newest message, latest first. Archived conversations, spam and the trash are excluded by default.',
      },
    })
    .input(listConversationsInput)
    .output(conversationListSchema)
    .query(({ ctx, input }) => listConversations(ctx.actor, input)),

  get: identityProcedure
    .meta({
      scope: 'conversations:read',
      openapi: { method: 'GET', path: conversationPath, tags, summary: 'Get a conversation' },
    })
    .input(conversationIdInput)
    .output(conversationDetailSchema)
    .version(conversationVersion)
    .query(({ ctx, input }) => getConversation(ctx.actor, input.conversationId)),

  create: identityProcedure
    .meta({
      scope: 'conversations:send',
      agentField: 'agentId',
      openapi: {
        method: 'POST',
        path,
        tags,
        summary: 'Write a new email',
        description:
          'Starts a conversation. The email is queued and sent as soon as the mail server accepts it; answers come in as messages of the ' +
          'conversation.',
      },
      rest: { status: 201, errors: [404, 409] },
      events: ['conversation.created', 'message.queued'],
    })
    .input(newConversationInput)
    .output(newConversationSchema)
    .mutation(({ ctx, input }) => startConversation(ctx.actor, input)),

  update: identityProcedure
    .meta({
      scope: 'conversations:write',
      openapi: {
        method: 'PATCH',
        path: conversationPath,
        tags,
        summary: 'Update a conversation',
        description:
          'Marks it as read, archived or spam, snoozes it, changes its status, or assigns it to a member or an agent. Only the given fields ' +
          'change. Snoozing spam or what is in the trash: 409 `conflict`.',
      },
      rest: { errors: [409] },
      events: ['conversation.updated'],
    })
    .input(updateConversationInput)
    .output(conversationDetailSchema)
    .mutation(({ ctx, input }) => updateConversation(ctx.actor, input)),

  delete: identityProcedure
    .meta({
      scope: 'conversations:write',
      openapi: {
        method: 'DELETE',
        path: conversationPath,
        tags,
        summary: 'Delete a conversation',
        description:
          'Moves it to the trash, where it can be restored for 30 days; a new message also restores it. With `permanent`, it is deleted ' +
          'immediately with its messages, attachments and notes, which frees their storage; 409 `conflict` while a reply is queued.',
      },
      rest: { errors: [409] },
      events: ['conversation.updated', 'conversation.deleted'],
    })
    .input(deleteConversationInput)
    .output(deletedConversationSchema)
    .mutation(({ ctx, input }) => deleteConversation(ctx.actor, input)),

  restore: identityProcedure
    .meta({
      scope: 'conversations:write',
      openapi: {
        method: 'POST',
        path: `${conversationPath}/restore`,
        tags,
        summary: 'Restore a conversation',
        description: 'Takes it out of the trash.',
      },
      events: ['conversation.updated'],
    })
    .input(conversationIdInput)
    .output(conversationDetailSchema)
    .mutation(({ ctx, input }) => restoreConversation(ctx.actor, input.conversationId)),

  notes: identityProcedure
    .meta({
      scope: 'conversations:read',
      openapi: {
        method: 'GET',
        path: `${conversationPath}/notes`,
        tags,
        summary: 'List the notes of a conversation',
        description: 'Internal notes of colleagues and agents, newest first. They are never part of an email.',
      },
    })
    .input(listNotesInput)
    .output(noteListSchema)
    .query(({ ctx, input }) => listNotes(ctx.actor, input)),

  addNote: identityProcedure
    .meta({
      scope: 'conversations:write',
      openapi: {
        method: 'POST',
        path: `${conversationPath}/notes`,
        tags,
        summary: 'Add a note',
        description: 'Adds an internal note. A conversation can have 1,000 notes.',
      },
      rest: { status: 201 },
      events: ['conversation.note.created'],
    })
    .input(addNoteInput)
    .output(noteSchema)
    .mutation(({ ctx, input }) => addNote(ctx.actor, input)),

  thread: identityProcedure
    .meta({
      scope: 'conversations:read',
      openapi: {
        method: 'GET',
        path: '/email/thread',
        tags,
        summary: 'Get a thread',
        description: 'For existing integrations; use `/conversations` for new ones. One of the two IDs is required.',
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
    .meta({ scope: 'conversations:read' })
    .input(conversationIdInput)
    .output(replyDraftSchema)
    .query(({ ctx, input }) => getReplyDraft(ctx.actor, input.conversationId)),

  newEmailDraft: dashboardProcedure
    .meta({ scope: 'conversations:send' })
    .input(newEmailDraftInput)
    .output(newEmailDraftSchema)
    .query(({ ctx, input }) => getNewEmailDraft(ctx.actor, input)),

  presence: dashboardProcedure
    .meta({ scope: 'conversations:read', events: [] })
    .input(presenceInput)
    .output(presenceSchema)
    .mutation(({ ctx, input }) => notePresence(ctx.actor, input)),

  pulse: dashboardProcedure
    .meta({ scope: 'conversations:read' })
    .input(z.object({}))
    .output(liveCountsSchema)
    .query(({ ctx }) => getLiveCounts(ctx.actor)),
};
