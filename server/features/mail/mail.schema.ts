import * as z from 'zod';
import { recordId, timestamp, uuid } from '@/server/platform/fields.schema';
import { deliveryLogSchema, mailAddressSchema, outboxStates } from '../outbox/outbox.schema';

export const outboxMailSchema = z.object({
  id: recordId,
  kind: z.string(),
  state: z.enum(outboxStates),
  subject: z.string(),
  from: mailAddressSchema,
  recipients: z.array(z.string()),
  /** All of them, also before it was sent again. */
  attempts: z.int(),
  /** Time of the next attempt; only while it is queued. */
  dueAt: timestamp.nullable(),
  /** The last error, for people. */
  error: z.string().nullable(),
  conversationId: recordId.nullable(),
  /** The message in that conversation. */
  messageId: recordId.nullable(),
  createdAt: timestamp,
  lastAttemptAt: timestamp.nullable(),
  sentAt: timestamp.nullable(),
  /** False without a server that would send it, so that it waits for SMTP_URL. */
  canSend: z.boolean(),
});

export type OutboxMailRecord = z.output<typeof outboxMailSchema>;

/** One email of the outbox, with its content and delivery. */
export const outboxMailDetailSchema = outboxMailSchema.extend({
  identityId: recordId,
  replyTo: mailAddressSchema.nullable(),
  to: z.array(mailAddressSchema),
  cc: z.array(mailAddressSchema),
  bcc: z.array(mailAddressSchema),
  /** The delivery status by recipient; `error` is the reason for a failure. */
  deliveries: z.array(
    z.object({ email: z.string(), status: z.enum(['pending', 'sent', 'failed']), error: z.string().nullable() }),
  ),
  /** Attempts and bounces, newest first; at most 50, and none from before version 0.8.4. */
  log: deliveryLogSchema,
  /** Without the RSVP links of guests; null if the content was removed after OUTBOX_RETENTION_DAYS. */
  text: z.string().nullable(),
  hasHtml: z.boolean(),
  /** The iTIP method of a calendar file it carries; null without one. */
  calendarMethod: z.enum(['REQUEST', 'CANCEL']).nullable(),
  /** The calendar event it is about, unless that was deleted. */
  eventId: recordId.nullable(),
});

export type OutboxMailDetail = z.output<typeof outboxMailDetailSchema>;

export const listOutboxInput = z.object({
  state: z.enum(outboxStates).optional(),
  /** Only the mails of this conversation. */
  conversationId: uuid.optional(),
  /** The id of the previous page's last item. */
  before: uuid.optional(),
});

export type ListOutboxInput = z.output<typeof listOutboxInput>;

export const outboxListSchema = z.object({
  emails: z.array(outboxMailSchema),
  /** `before` of the next page; null on the last one. */
  next: recordId.nullable(),
  counts: z.object({ queued: z.int(), sending: z.int(), sent: z.int(), failed: z.int() }),
});

export type OutboxList = z.output<typeof outboxListSchema>;

export const outboxMailIdInput = z.object({ mailId: uuid });

export const quarantinedMailSchema = z.object({
  id: recordId,
  reason: z.enum(['unparsable', 'too_large']),
  detail: z.string(),
  source: z.enum(['smtp', 'http', 'imap']),
  sender: z.string().nullable(),
  recipients: z.array(z.string()),
  size: z.int(),
  isTruncated: z.boolean(),
  createdAt: timestamp,
});

export type QuarantinedMailRecord = z.output<typeof quarantinedMailSchema>;

export const listQuarantineInput = z.object({ before: uuid.optional() });

export const quarantineListSchema = z.object({ messages: z.array(quarantinedMailSchema), next: recordId.nullable() });

export type QuarantineList = z.output<typeof quarantineListSchema>;

export const quarantinedMailIdInput = z.object({ mailId: uuid });

/** How mail reaches this identity, for the hint on an empty inbox. */
export const mailSetupSchema = z.object({
  /** Addresses at which this identity receives mail: its own, further ones, its agents'. */
  addresses: z.array(z.string()),
  /** Addresses of the mailboxes that are connected. */
  mailboxes: z.array(z.string()),
  /** The port of the SMTP listener; null if INBOUND_SMTP_PORT is not set. */
  smtpPort: z.int().nullable(),
  /** True if INBOUND_SECRET is set, so that POST /api/inbound/email exists. */
  acceptsHttp: z.boolean(),
  /** True if SMTP_URL is set. */
  canSend: z.boolean(),
});

export type MailSetup = z.output<typeof mailSetupSchema>;
