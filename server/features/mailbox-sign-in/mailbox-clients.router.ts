import * as z from 'zod';
import { successSchema } from '@/server/platform/fields.schema';
import { identityProcedure, router, successOf } from '@/server/platform/trpc/trpc';
import { mailboxClientInput, mailboxClientListSchema, mailboxClientSchema, setMailboxClientInput } from './mailbox-client.schema';
import {
  deleteMailboxClient,
  getMailboxClient,
  listMailboxClients,
  mailboxClientVersion,
  setMailboxClient,
} from './mailbox-client.service';

const tags = ['Mailboxes'];
const path = '/mailbox-clients' as const;
const clientPath = `${path}/{provider}` as const;

export const mailboxClientsRouter = router({
  list: identityProcedure
    .meta({
      scope: 'identity:read',
      openapi: {
        method: 'GET',
        path,
        tags,
        summary: 'List clients at providers of mailboxes',
        description: 'By which members sign in to mailboxes at Google and Microsoft (OAuth 2.0); at most one for each.',
      },
    })
    .input(z.object({}))
    .output(mailboxClientListSchema)
    .query(({ ctx }) => listMailboxClients(ctx.actor)),

  get: identityProcedure
    .meta({
      scope: 'identity:read',
      openapi: { method: 'GET', path: clientPath, tags, summary: 'Get the client at a provider of mailboxes' },
    })
    .input(mailboxClientInput)
    .output(mailboxClientSchema)
    .version(mailboxClientVersion)
    .query(({ ctx, input }) => getMailboxClient(ctx.actor, input.provider)),

  set: identityProcedure
    .meta({
      scope: 'identity:write',
      fresh: true,
      openapi: {
        method: 'PUT',
        path: clientPath,
        tags,
        summary: 'Set the client at a provider of mailboxes',
        description:
          'As it was registered at the provider with `redirectUri`. Members sign in in the dashboard. With another `clientId`, mailboxes have ' +
          'to be signed in to again.',
      },
      rest: { begins: true },
      events: [],
    })
    .input(setMailboxClientInput)
    .output(mailboxClientSchema)
    .mutation(({ ctx, input }) => setMailboxClient(ctx.actor, input)),

  delete: identityProcedure
    .meta({
      scope: 'identity:write',
      fresh: true,
      openapi: {
        method: 'DELETE',
        path: clientPath,
        tags,
        summary: 'Delete the client at a provider of mailboxes',
        description: 'Only while no mailbox is signed in to by it.',
      },
      rest: { errors: [409] },
      events: [],
    })
    .input(mailboxClientInput)
    .output(successSchema)
    .mutation(({ ctx, input }) => successOf(deleteMailboxClient(ctx.actor, input.provider))),
});
