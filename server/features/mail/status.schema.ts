import * as z from 'zod';
import { recordId, timestamp, uuid } from '@/server/platform/fields.schema';
import { addressStatuses } from '../addresses/address.schema';
import { outboxStates } from '../outbox/outbox.schema';

const pastMail = z.object({ at: timestamp, subject: z.string() });

/** Status of inbound and outbound mail, for the settings page. */
export const mailStatusSchema = z.object({
  outbound: z.object({
    /** Host and port of SMTP_URL, without the password; null if it is not set. */
    server: z.string().nullable(),
    /** Addresses of mailboxes whose own servers send their emails. */
    mailboxes: z.array(z.string()),
    /** Sender of a test mail; null for a business without an address. */
    sender: z.string().nullable(),
    lastSent: pastMail.nullable(),
    /** The latest mail that a recipient has not got (yet), and why. */
    lastFailure: pastMail.extend({ error: z.string(), willRetry: z.boolean() }).nullable(),
    /** Queued mails, exact up to a thousand. */
    queued: z.int(),
    failed: z.int(),
  }),
  inbound: z.object({
    /** Addresses of the mailboxes that are connected. */
    mailboxes: z.array(z.string()),
    /** Null if INBOUND_SMTP_PORT is not set. */
    smtpPort: z.int().nullable(),
    /** True if INBOUND_TLS_CERT and INBOUND_TLS_KEY are set. */
    isEncrypted: z.boolean(),
    /** True if INBOUND_SECRET is set. */
    acceptsHttp: z.boolean(),
    lastReceived: pastMail.extend({ from: z.string() }).nullable(),
  }),
  /** The addresses of this business, including those that must still be proven. */
  addresses: z.array(
    z.object({
      email: z.string(),
      kind: z.enum(['identity', 'whitelisted', 'agent']),
      /** The agent's; null for the others. */
      agent: z.string().nullable(),
      /** Only `proven` ones receive mail. */
      status: z.enum(addressStatuses),
    }),
  ),
  /** The domain whose DNS must point here: of the business' own address, else of its first further one; null without any. */
  domain: z.string().nullable(),
  /** Public host name of this installation; null if PUBLIC_URL is not set, or has no internet host. */
  host: z.string().nullable(),
});

export type MailStatus = z.output<typeof mailStatusSchema>;

export const testMailInput = z.object({ mailId: uuid });

/** State of a test mail. */
export const testMailSchema = z.object({
  id: recordId,
  recipient: z.string(),
  state: z.enum(outboxStates),
  error: z.string().nullable(),
  sentAt: timestamp.nullable(),
});

export type TestMail = z.output<typeof testMailSchema>;
