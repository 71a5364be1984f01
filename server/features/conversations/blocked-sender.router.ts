import * as z from 'zod';
import { successSchema } from '@/server/platform/fields.schema';
import { identityProcedure, router, successOf } from '@/server/platform/trpc/trpc';
import { blockedSenderIdInput, blockedSenderListSchema, blockedSenderSchema, blockSenderInput } from './blocked-sender.schema';
import { blockSender, listBlockedSenders, unblockSender } from './blocked-sender.service';

const tags = ['Conversations'];
const path = '/blocked-senders' as const;

export const blockedSendersRouter = router({
  list: identityProcedure
    .meta({
      scope: 'conversations:read',
      openapi: {
        method: 'GET',
        path,
        tags,
        summary: 'List blocked senders',
        description: 'All of the business, by name; at most 1,000.',
      },
    })
    .input(z.object({}))
    .output(blockedSenderListSchema)
    .query(({ ctx }) => listBlockedSenders(ctx.actor)),

  create: identityProcedure
    .meta({
      scope: 'conversations:write',
      openapi: {
        method: 'POST',
        path,
        tags,
        summary: 'Block a sender',
        description:
          'What it sends from then on begins conversations as spam, and brings no conversation back to the inbox. Conversations that are ' +
          'there stay where they are.',
      },
      rest: { status: 201, errors: [409], alreadyDone: 'This sender is blocked already; nothing changed.' },
      events: [],
    })
    .input(blockSenderInput)
    .output(blockedSenderSchema)
    .mutation(async ({ ctx, input }) => {
      const { blockedSender, isKnown } = await blockSender(ctx.actor, input);
      if (isKnown) ctx.response.status = 200;
      return blockedSender;
    }),

  delete: identityProcedure
    .meta({
      scope: 'conversations:write',
      openapi: { method: 'DELETE', path: `${path}/{blockedSenderId}`, tags, summary: 'Unblock a sender' },
      events: [],
    })
    .input(blockedSenderIdInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(unblockSender(ctx.actor, input.blockedSenderId))),
});
