import { successSchema } from '@/server/platform/fields.schema';
import { identityProcedure, router } from '@/server/platform/trpc/trpc';
import { conversationIdInput } from './conversation.schema';
import {
  conversationDraftSchema,
  draftIdInput,
  draftListSchema,
  draftSchema,
  listDraftsInput,
  saveDraftInput,
  saveReplyDraftInput,
} from './draft.schema';
import {
  deleteConversationDraft,
  deleteDraft,
  draftVersion,
  getConversationDraft,
  getDraft,
  listDrafts,
  saveConversationDraft,
  saveDraft,
} from './draft.service';

const tags = ['Conversations'];
const path = '/drafts' as const;
const draftPath = `${path}/{draftId}` as const;
const conversationDraftPath = '/conversations/{conversationId}/draft' as const;

export const draftsRouter = router({
  list: identityProcedure
    .meta({
      scope: 'conversations:read',
      openapi: {
        method: 'GET',
        path,
        tags,
        summary: 'List drafts',
        description:
          'The caller’s own, the last saved first: of an agent, or for other keys of the owner of the business. Colleagues don’t see them.',
      },
    })
    .input(listDraftsInput)
    .output(draftListSchema)
    .query(({ ctx, input }) => listDrafts(ctx.actor, input)),

  get: identityProcedure
    .meta({
      scope: 'conversations:read',
      openapi: { method: 'GET', path: draftPath, tags, summary: 'Get a draft' },
    })
    .input(draftIdInput)
    .output(draftSchema)
    .version(draftVersion)
    .query(({ ctx, input }) => getDraft(ctx.actor, input.draftId)),

  save: identityProcedure
    .meta({
      scope: 'conversations:write',
      openapi: {
        method: 'PUT',
        path: draftPath,
        tags,
        summary: 'Save a draft',
        description:
          'Begins a draft with an ID that the client has made, or replaces it; fields that are left out are empty. Addresses may be ' +
          'incomplete. An author has at most 200 drafts. `POST /conversations` and `POST /conversations/{conversationId}/messages` send it ' +
          'with `draftId`, and what they are given.',
      },
      rest: { errors: [409] },
      events: [],
    })
    .input(saveDraftInput)
    .output(draftSchema)
    .mutation(({ ctx, input }) => saveDraft(ctx.actor, input)),

  delete: identityProcedure
    .meta({
      scope: 'conversations:write',
      openapi: { method: 'DELETE', path: draftPath, tags, summary: 'Delete a draft' },
      events: [],
    })
    .input(draftIdInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => deleteDraft(ctx.actor, input.draftId)),

  ofConversation: identityProcedure
    .meta({
      scope: 'conversations:read',
      openapi: {
        method: 'GET',
        path: conversationDraftPath,
        tags,
        summary: 'Get the draft of a conversation',
        description: 'The caller’s own: of an agent, or for other keys of the owner of the business. Colleagues don’t see it.',
      },
    })
    .input(conversationIdInput)
    .output(conversationDraftSchema)
    .query(({ ctx, input }) => getConversationDraft(ctx.actor, input.conversationId)),

  saveOfConversation: identityProcedure
    .meta({
      scope: 'conversations:write',
      openapi: {
        method: 'PUT',
        path: conversationDraftPath,
        tags,
        summary: 'Save the draft of a conversation',
        description: 'Begins or replaces the caller’s own. Fields that are left out are empty.',
      },
      rest: { errors: [409], unconditional: true },
      events: [],
    })
    .input(saveReplyDraftInput)
    .output(conversationDraftSchema)
    .mutation(({ ctx, input }) => saveConversationDraft(ctx.actor, input)),

  deleteOfConversation: identityProcedure
    .meta({
      scope: 'conversations:write',
      openapi: {
        method: 'DELETE',
        path: conversationDraftPath,
        tags,
        summary: 'Delete the draft of a conversation',
      },
      rest: { unconditional: true },
      events: [],
    })
    .input(conversationIdInput)
    .output(conversationDraftSchema)
    .mutation(({ ctx, input }) => deleteConversationDraft(ctx.actor, input.conversationId)),
});
