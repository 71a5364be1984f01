import * as z from 'zod';
import { successSchema } from '@/server/platform/fields.schema';
import { dashboardProcedure, identityProcedure, router, successOf } from '@/server/platform/trpc/trpc';
import {
  beginSignInInput,
  checkMailboxInput,
  createMailboxInput,
  finishSignInInput,
  mailboxCheckSchema,
  mailboxIdInput,
  mailboxListSchema,
  mailboxSchema,
  providerPageSchema,
  updateMailboxInput,
} from './mailbox.schema';
import { createMailbox, deleteMailbox, getMailbox, listMailboxes, mailboxVersion, updateMailbox } from './mailbox.service';
import { checkMailbox, readNow } from './mailbox-check.service';
import { beginSignIn, beginSignInAgain, clearVisit, finishSignIn } from './signed-in-mailbox.service';

const tags = ['Mailboxes'];
const path = '/mailboxes' as const;
const mailboxPath = `${path}/{mailboxId}` as const;

export const mailboxesRouter = router({
  list: identityProcedure
    .meta({
      scope: 'identity:read',
      openapi: {
        method: 'GET',
        path,
        tags,
        summary: 'List mailboxes',
        description: 'All of the business, oldest first; at most 20.',
      },
    })
    .input(z.object({}))
    .output(mailboxListSchema)
    .query(({ ctx }) => listMailboxes(ctx.actor)),

  create: identityProcedure
    .meta({
      scope: 'identity:write',
      fresh: true,
      openapi: {
        method: 'POST',
        path,
        tags,
        summary: 'Connect a mailbox',
        description:
          'Its emails are read by IMAP from then on, and those of the last days first. Nothing in it is changed or deleted. Try the settings ' +
          'out with `POST /mailboxes/check` before.',
      },
      rest: { status: 201, errors: [409] },
      events: [],
    })
    .input(createMailboxInput)
    .output(mailboxSchema)
    .mutation(({ ctx, input }) => createMailbox(ctx.actor, input)),

  check: identityProcedure
    .meta({
      scope: 'identity:write',
      fresh: true,
      openapi: {
        method: 'POST',
        path: `${path}/check`,
        tags,
        summary: 'Try a mailbox out',
        description: 'Signs in and looks at the folder. Nothing is stored. At most 30 times an hour.',
      },
      events: [],
    })
    .input(checkMailboxInput)
    .output(mailboxCheckSchema)
    .mutation(({ ctx, input }) => checkMailbox(ctx.actor, input)),

  beginSignIn: dashboardProcedure
    .meta({ scope: 'identity:write', fresh: true, events: [] })
    .input(beginSignInInput)
    .output(providerPageSchema)
    .mutation(async ({ ctx, input }) => {
      const { url, cookie } = await beginSignIn(ctx.actor, input);
      ctx.response.headers.append('Set-Cookie', cookie);
      return { url };
    }),

  beginSignInAgain: dashboardProcedure
    .meta({ scope: 'identity:write', fresh: true, events: [] })
    .input(mailboxIdInput)
    .output(providerPageSchema)
    .mutation(async ({ ctx, input }) => {
      const { url, cookie } = await beginSignInAgain(ctx.actor, input.mailboxId);
      ctx.response.headers.append('Set-Cookie', cookie);
      return { url };
    }),

  finishSignIn: dashboardProcedure
    .meta({ scope: 'identity:write', events: [] })
    .input(finishSignInInput)
    .output(mailboxSchema)
    .mutation(async ({ ctx, input }) => {
      ctx.response.headers.append('Set-Cookie', clearVisit());
      return finishSignIn(ctx.actor, input.query, ctx.cookies);
    }),

  get: identityProcedure
    .meta({ scope: 'identity:read', openapi: { method: 'GET', path: mailboxPath, tags, summary: 'Get a mailbox' } })
    .input(mailboxIdInput)
    .output(mailboxSchema)
    .version(mailboxVersion)
    .query(({ ctx, input }) => getMailbox(ctx.actor, input.mailboxId)),

  update: identityProcedure
    .meta({
      scope: 'identity:write',
      fresh: true,
      openapi: {
        method: 'PATCH',
        path: mailboxPath,
        tags,
        summary: 'Update a mailbox',
        description: 'Only the given fields change. It is read again within 15 seconds.',
      },
      rest: { errors: [409] },
      events: [],
    })
    .input(updateMailboxInput)
    .output(mailboxSchema)
    .mutation(({ ctx, input }) => updateMailbox(ctx.actor, input)),

  read: identityProcedure
    .meta({
      scope: 'identity:write',
      openapi: {
        method: 'POST',
        path: `${mailboxPath}/read`,
        tags,
        summary: 'Read a mailbox now',
        description: 'One that can’t be read is tried again at once, instead of after a pause. At most 30 times an hour.',
      },
      events: [],
    })
    .input(mailboxIdInput)
    .output(mailboxSchema)
    .mutation(({ ctx, input }) => readNow(ctx.actor, input.mailboxId)),

  delete: identityProcedure
    .meta({
      scope: 'identity:write',
      fresh: true,
      openapi: {
        method: 'DELETE',
        path: mailboxPath,
        tags,
        summary: 'Disconnect a mailbox',
        description: 'Emails that were taken over stay.',
      },
      events: [],
    })
    .input(mailboxIdInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(deleteMailbox(ctx.actor, input.mailboxId))),
});
