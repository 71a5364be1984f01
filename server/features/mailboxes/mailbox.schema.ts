import * as z from 'zod';
import { emailAddress, recordId, revision, text, timestamp, uuid } from '@/server/platform/fields.schema';
import type { MailboxProblemCode } from '@/server/platform/mail/mailbox-problem';
import { mailProvider } from '../mailbox-sign-in/mail-provider.schema';
import { importDays, mailboxesMaximum } from './mailbox.limits';

const mailboxSecurities = ['tls', 'starttls'] as const;

/** Why a mailbox can't be read. */
const mailboxProblems = [
  'address_forbidden',
  'host_unknown',
  'unreachable',
  'no_answer',
  'certificate',
  'encryption',
  'credentials',
  'folder',
  'protocol',
  'storage_full',
  'internal',
] as const satisfies readonly MailboxProblemCode[];

const problemSchema = z
  .object({ code: z.enum(mailboxProblems), message: z.string().meta({ description: 'For people.' }) })
  .meta({ id: 'MailboxProblem' });

export const mailboxSchema = z
  .object({
    id: recordId,
    identityId: recordId,
    address: z.string(),
    host: z.string(),
    port: z.int(),
    security: z.enum(mailboxSecurities),
    username: z.string(),
    provider: mailProvider.nullable().meta({
      description:
        'Where a member signed in to it in the dashboard; null if it has a password. Its servers and its user stay as they are.',
    }),
    folder: z.string(),
    outgoing: z
      .object({ host: z.string(), port: z.int(), security: z.enum(mailboxSecurities), username: z.string() })
      .nullable()
      .meta({ description: 'The server that emails from the address are sent by; null if none are.' }),
    importDays: z.int(),
    isPaused: z.boolean(),
    status: z.enum(['new', 'importing', 'connected', 'failing', 'paused']).meta({
      description: '`new` until it has been read once, and `importing` until its earlier emails have been taken over.',
    }),
    problem: problemSchema.nullable(),
    failingSince: timestamp.nullable(),
    import: z
      .object({ total: z.int(), done: z.int() })
      .nullable()
      .meta({ description: 'Earlier emails that are taken over, and how many have been; null before they are counted.' }),
    checkedAt: timestamp.nullable().meta({ description: 'When the server last said what the mailbox has.' }),
    receivedAt: timestamp.nullable().meta({ description: 'When an email was last taken over.' }),
    revision,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({
    id: 'Mailbox',
    examples: [
      {
        id: '0199f3b2-7a10-7c3e-8f55-1d2c3b4a5968',
        identityId: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50',
        address: 'shop@quark.example',
        host: 'imap.quark.example',
        port: 993,
        security: 'tls',
        username: 'shop@quark.example',
        provider: null,
        folder: 'INBOX',
        outgoing: { host: 'smtp.quark.example', port: 465, security: 'tls', username: 'shop@quark.example' },
        importDays: 30,
        isPaused: false,
        status: 'connected',
        problem: null,
        failingSince: null,
        import: { total: 214, done: 214 },
        checkedAt: '2026-11-21T09:30:00.000Z',
        receivedAt: '2026-11-21T09:12:00.000Z',
        revision: 1,
        createdAt: '2026-11-20T08:00:00.000Z',
        updatedAt: '2026-11-20T08:00:00.000Z',
      },
    ],
  });

export type Mailbox = z.output<typeof mailboxSchema>;

export const mailboxListSchema = z.object({ mailboxes: z.array(mailboxSchema).max(mailboxesMaximum), total: z.int() });

export type MailboxList = z.output<typeof mailboxListSchema>;

/** A name such as imap.example.com, or an address. */
const host = z
  .string()
  .trim()
  .toLowerCase()
  .min(1)
  .max(253)
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*|[0-9a-f:]+)$/, {
    error: 'must be the name of a server, such as imap.example.com',
  })
  .meta({
    description: 'Its name. Ports other than 993, 143, 465 and 587, and private networks, must be allowed by the operator.',
    examples: ['imap.quark.example'],
  });

const port = z.int().min(1).max(65_535);

/** What goes into a line of the protocol. */
const line = (maximum: number) =>
  text(maximum)
    .min(1)
    .regex(/^\P{Cc}*$/u, { error: 'has a control character' });

const password = line(500).meta({ description: 'Stored encrypted, and never shown. Some providers need an app password.' });

const folder = line(255).meta({ examples: ['INBOX'] });

const serverFields = {
  host,
  port: port.optional().meta({ description: 'By default 993, or 143 with `starttls`.' }),
  security: z.enum(mailboxSecurities).default('tls'),
  username: line(320).optional().meta({ description: 'By default the address.' }),
  password,
  folder: folder.default('INBOX'),
};

const outgoing = z.object({
  host: host.meta({ examples: ['smtp.quark.example'] }),
  port: port.optional().meta({ description: 'By default 465, or 587 with `starttls`.' }),
  security: z.enum(mailboxSecurities).default('tls'),
  username: line(320).optional().meta({ description: 'By default that of the mailbox.' }),
  password: password.optional().meta({ description: 'By default that of the mailbox.' }),
});

export type OutgoingInput = z.output<typeof outgoing>;

export const createMailboxInput = z.object({
  address: emailAddress.meta({ description: 'The address whose email the mailbox has.', examples: ['shop@quark.example'] }),
  ...serverFields,
  outgoing: outgoing.nullable().default(null).meta({ description: 'The server to send emails from the address by.' }),
  importDays: z
    .int()
    .min(0)
    .max(importDays.maximum)
    .default(importDays.default)
    .meta({ description: 'Emails of so many days are taken over first.' }),
});

export type CreateMailboxInput = z.output<typeof createMailboxInput>;

export const mailboxIdInput = z.object({ mailboxId: uuid });

export const updateMailboxInput = mailboxIdInput.extend({
  host: host.optional(),
  port: port.optional(),
  security: z.enum(mailboxSecurities).optional(),
  username: line(320).optional(),
  password: password.optional().meta({ description: 'Needed to change `host`, `port`, `security` or `username`.' }),
  folder: folder.optional().meta({ description: 'Emails of another folder are taken over as for a new mailbox.' }),
  outgoing: outgoing
    .nullable()
    .optional()
    .meta({
      description:
        'Another server or user needs `password` in it, or the one of the mailbox beside it. Null: nothing is sent. Where a member signed in at ' +
        'a provider, its `host` is enough.',
    }),
  isPaused: z
    .boolean()
    .optional()
    .meta({ description: 'While paused, nothing is read. What came in between is read afterwards.' }),
});

export type UpdateMailboxInput = z.output<typeof updateMailboxInput>;

export const beginSignInInput = z.object({
  provider: mailProvider,
  address: createMailboxInput.shape.address,
  username: serverFields.username,
  folder: serverFields.folder,
  sends: z.boolean().default(true).meta({ description: 'Whether emails from the address are sent by its server.' }),
  importDays: createMailboxInput.shape.importDays,
});

export type BeginSignInInput = z.output<typeof beginSignInInput>;

export const providerPageSchema = z.object({ url: z.string() });

/** Characters of what a provider adds to the address that it leads back to. */
const answerMaximum = 8_000;

export const finishSignInInput = z.object({ query: z.string().max(answerMaximum) });

export const checkMailboxInput = createMailboxInput.omit({ importDays: true });

export type CheckMailboxInput = z.output<typeof checkMailboxInput>;

export const mailboxCheckSchema = z
  .object({
    problem: problemSchema.nullable().meta({ description: 'Null if the mailbox can be read.' }),
    outgoingProblem: problemSchema.nullable().meta({ description: 'Null if emails can be sent, or `outgoing` was not given.' }),
    folders: z.array(z.string()).meta({ description: 'At most 200.' }),
    messages: z.int().nullable().meta({ description: 'In the folder.' }),
  })
  .meta({ id: 'MailboxCheck' });

export type MailboxCheck = z.output<typeof mailboxCheckSchema>;
