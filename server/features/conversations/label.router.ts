import * as z from 'zod';
import { successSchema } from '@/server/platform/fields.schema';
import { identityProcedure, router, successOf } from '@/server/platform/trpc/trpc';
import { createLabelInput, labelIdInput, labelListSchema, labelSchema, updateLabelInput } from './label.schema';
import { createLabel, deleteLabel, getLabel, labelVersion, listLabels, updateLabel } from './label.service';

const tags = ['Conversations'];
const path = '/labels' as const;
const labelPath = `${path}/{labelId}` as const;

export const labelsRouter = router({
  list: identityProcedure
    .meta({
      scope: 'conversations:read',
      openapi: { method: 'GET', path, tags, summary: 'List labels', description: 'All of the business, by name; at most 100.' },
    })
    .input(z.object({}))
    .output(labelListSchema)
    .query(({ ctx }) => listLabels(ctx.actor)),

  create: identityProcedure
    .meta({
      scope: 'conversations:write',
      openapi: {
        method: 'POST',
        path,
        tags,
        summary: 'Create a label',
        description: 'Conversations get it by `addLabels` of `PATCH /conversations/{conversationId}`.',
      },
      rest: { status: 201, errors: [409] },
      events: ['label.created'],
    })
    .input(createLabelInput)
    .output(labelSchema)
    .mutation(({ ctx, input }) => createLabel(ctx.actor, input)),

  get: identityProcedure
    .meta({ scope: 'conversations:read', openapi: { method: 'GET', path: labelPath, tags, summary: 'Get a label' } })
    .input(labelIdInput)
    .output(labelSchema)
    .version(labelVersion)
    .query(({ ctx, input }) => getLabel(ctx.actor, input.labelId)),

  update: identityProcedure
    .meta({
      scope: 'conversations:write',
      openapi: {
        method: 'PATCH',
        path: labelPath,
        tags,
        summary: 'Update a label',
        description: 'Only the given fields change.',
      },
      rest: { errors: [409] },
      events: ['label.updated'],
    })
    .input(updateLabelInput)
    .output(labelSchema)
    .mutation(({ ctx, input }) => updateLabel(ctx.actor, input)),

  delete: identityProcedure
    .meta({
      scope: 'conversations:write',
      openapi: {
        method: 'DELETE',
        path: labelPath,
        tags,
        summary: 'Delete a label',
        description: 'Conversations lose it.',
      },
      events: ['label.deleted'],
    })
    .input(labelIdInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(deleteLabel(ctx.actor, input.labelId))),
});
