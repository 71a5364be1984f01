import * as z from 'zod';
import { recordId, revision, text, timestamp } from '@/server/platform/fields.schema';
import { mailProvider } from './mail-provider.schema';

export const mailboxClientSchema = z
  .object({
    id: recordId,
    identityId: recordId,
    provider: mailProvider,
    clientId: z.string(),
    tenantId: z.string().nullable().meta({ description: 'The directory of Microsoft whose members may sign in; null for all.' }),
    redirectUri: z.string().meta({ description: 'To be registered with the provider.' }),
    mailboxes: z.int().meta({ description: 'Mailboxes that members signed in to by it.' }),
    revision,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'MailboxClient',
    examples: [
      {
        id: '0199f3b2-7a10-7c3e-8f55-1d2c3b4a5970',
        identityId: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50',
        provider: 'google',
        clientId: '4711-abc.apps.googleusercontent.com',
        tenantId: null,
        redirectUri: 'https://desk.quark.example/settings/mailboxes/signed-in',
        mailboxes: 1,
        revision: 1,
        createdAt: '2026-11-20T08:00:00.000Z',
        updatedAt: '2026-11-20T08:00:00.000Z',
      },
    ],
  });

export type MailboxClient = z.output<typeof mailboxClientSchema>;

export const mailboxClientListSchema = z.object({
  mailboxClients: z.array(mailboxClientSchema).max(mailProvider.options.length),
  total: z.int(),
  redirectUri: z.string().meta({ description: 'To be registered with a provider.' }),
});

export type MailboxClientList = z.output<typeof mailboxClientListSchema>;

/** What goes into a request to the provider. */
const word = (maximum: number) =>
  text(maximum)
    .min(1)
    .regex(/^[\x21-\x7e]*$/, { error: 'has a character that no client of a provider has' });

export const mailboxClientInput = z.object({ provider: mailProvider });

export const setMailboxClientInput = mailboxClientInput.extend({
  clientId: word(500).meta({ description: 'As the provider gave it.', examples: ['4711-abc.apps.googleusercontent.com'] }),
  clientSecret: word(1_000)
    .optional()
    .meta({ description: 'Stored encrypted, and never shown. Without it, the one of before stays if `clientId` does.' }),
  tenantId: text(255)
    .regex(/^[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/, { error: 'must be the id or the domain of a directory' })
    .nullable()
    .default(null)
    .meta({
      description: 'For a client at Microsoft that serves one directory: its id. Null for other ones.',
      examples: ['contoso.onmicrosoft.example'],
    }),
});

export type SetMailboxClientInput = z.output<typeof setMailboxClientInput>;
