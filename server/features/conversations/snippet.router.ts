import * as z from 'zod';
import { successSchema } from '@/server/platform/fields.schema';
import { identityProcedure, router, successOf } from '@/server/platform/trpc/trpc';
import {
  createSnippetInput,
  filledSnippetSchema,
  fillSnippetInput,
  snippetIdInput,
  snippetListSchema,
  snippetSchema,
  updateSnippetInput,
} from './snippet.schema';
import {
  createSnippet,
  deleteSnippet,
  fillSnippetFor,
  getSnippet,
  listSnippets,
  snippetVersion,
  updateSnippet,
} from './snippet.service';

const tags = ['Conversations'];
const path = '/snippets' as const;
const snippetPath = `${path}/{snippetId}` as const;

export const snippetsRouter = router({
  list: identityProcedure
    .meta({
      scope: 'conversations:read',
      openapi: { method: 'GET', path, tags, summary: 'List snippets', description: 'All of the business, by name; at most 200.' },
    })
    .input(z.object({}))
    .output(snippetListSchema)
    .query(({ ctx }) => listSnippets(ctx.actor)),

  create: identityProcedure
    .meta({
      scope: 'conversations:write',
      openapi: {
        method: 'POST',
        path,
        tags,
        summary: 'Create a snippet',
        description: 'A text for emails, with variables such as `{{customer.firstName|there}}` and files.',
      },
      rest: { status: 201, errors: [409] },
      events: ['snippet.created'],
    })
    .input(createSnippetInput)
    .output(snippetSchema)
    .mutation(({ ctx, input }) => createSnippet(ctx.actor, input)),

  get: identityProcedure
    .meta({
      scope: 'conversations:read',
      openapi: { method: 'GET', path: snippetPath, tags, summary: 'Get a snippet' },
    })
    .input(snippetIdInput)
    .output(snippetSchema)
    .version(snippetVersion)
    .query(({ ctx, input }) => getSnippet(ctx.actor, input.snippetId)),

  update: identityProcedure
    .meta({
      scope: 'conversations:write',
      openapi: {
        method: 'PATCH',
        path: snippetPath,
        tags,
        summary: 'Update a snippet',
        description: 'Only the given fields change.',
      },
      rest: { errors: [409] },
      events: ['snippet.updated'],
    })
    .input(updateSnippetInput)
    .output(snippetSchema)
    .mutation(({ ctx, input }) => updateSnippet(ctx.actor, input)),

  delete: identityProcedure
    .meta({
      scope: 'conversations:write',
      openapi: { method: 'DELETE', path: snippetPath, tags, summary: 'Delete a snippet' },
      events: ['snippet.deleted'],
    })
    .input(snippetIdInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(deleteSnippet(ctx.actor, input.snippetId))),

  fill: identityProcedure
    .meta({
      scope: 'conversations:read',
      openapi: {
        method: 'GET',
        path: `${snippetPath}/text`,
        tags,
        summary: 'Get the text of a snippet for a recipient',
        description:
          'With the values of its variables: of the customer with this address, the business, and the member or agent who asks. `email` ' +
          'also needs `customers:read`.',
      },
    })
    .input(fillSnippetInput)
    .output(filledSnippetSchema)
    .query(({ ctx, input }) => fillSnippetFor(ctx.actor, input)),
});
