import * as z from 'zod';
import { timestamp, uuid } from '@/server/platform/fields.schema';
import { addressStatuses } from '../addresses/address.schema';
import { outboxStates } from '../outbox/outbox.schema';

const pastMail = z.object({ at: timestamp, subject: z.string() });

/** What works of mail and what does not, for the page of settings. */
export const mailStatusSchema = z.object({
  outbound: z.object({
    /** Host and port of SMTP_URL, never its password; null where it is not set. */
    server: z.string().nullable(),
    /** The address a test mail comes from; null for a business without any. */
    sender: z.string().nullable(),
    lastSent: pastMail.nullable(),
    /** The latest mail that somebody has not got, or not yet, and why. */
    lastFailure: pastMail.extend({ error: z.string(), willRetry: z.boolean() }).nullable(),
    /** Mails that wait, exact to a thousand. */
    queued: z.int(),
    failed: z.int(),
  }),
  inbound: z.object({
    /** Null where INBOUND_SMTP_PORT is not set. */
    smtpPort: z.int().nullable(),
    /** True where INBOUND_TLS_CERT and INBOUND_TLS_KEY are set. */
    isEncrypted: z.boolean(),
    /** True where INBOUND_SECRET is set. */
    acceptsHttp: z.boolean(),
    lastReceived: pastMail.extend({ from: z.string() }).nullable(),
  }),
  /** Where mail to this business comes in, or will once they are proven. */
  addresses: z.array(
    z.object({
      email: z.string(),
      kind: z.enum(['identity', 'whitelisted', 'agent']),
      /** The agent's; null for the others. */
      agent: z.string().nullable(),
      /** Mail comes in through `proven` ones only. */
      status: z.enum(addressStatuses),
    }),
  ),
  /** The domain of the business' own address, else of its first further one, whose DNS has to point here; null without any. */
  domain: z.string().nullable(),
  /** The name this installation is reached by; null where PUBLIC_URL is not set, or names no host of the internet. */
  host: z.string().nullable(),
});

export type MailStatus = z.output<typeof mailStatusSchema>;

export const testMailInput = z.object({ mailId: uuid });

/** How a test mail fares. */
export const testMailSchema = z.object({
  id: uuid,
  recipient: z.string(),
  state: z.enum(outboxStates),
  error: z.string().nullable(),
  sentAt: timestamp.nullable(),
});

export type TestMail = z.output<typeof testMailSchema>;
