import * as z from 'zod';

export const outboxStates = ['queued', 'sending', 'sent', 'failed'] as const;

export type OutboxStateName = (typeof outboxStates)[number];

/** An address with its display name. */
export const mailAddressSchema = z.object({ email: z.string(), displayName: z.string().nullable() });

/** The content of an outgoing mail; stored as JSON until it is sent. */
export const outgoingMailSchema = z.object({
  from: mailAddressSchema,
  replyTo: mailAddressSchema.optional(),
  to: z.array(mailAddressSchema),
  cc: z.array(mailAddressSchema),
  bcc: z.array(mailAddressSchema),
  text: z.string(),
  html: z.string(),
  inReplyTo: z.string().nullable(),
  references: z.array(z.string()),
  /** Files of the content store. Absent if there are none. */
  attachments: z
    .array(z.object({ filename: z.string(), contentType: z.string(), sha256: z.string(), contentId: z.string().optional() }))
    .optional(),
  /** Sent automatically, not by a person's action: out-of-office notices should not reply to it (RFC 3834). */
  isAutomatic: z.boolean().optional(),
  /** An iTIP object (RFC 5546), sent according to RFC 6047. */
  calendar: z.object({ method: z.enum(['REQUEST', 'CANCEL']), content: z.string() }).optional(),
});

export type OutgoingMail = z.output<typeof outgoingMailSchema>;

/** The result of one attempt to send an email, or a later bounce. */
export const deliveryLogEntrySchema = z.object({
  kind: z.enum(['attempt', 'returned']),
  /** When the attempt began; ISO 8601. */
  at: z.string(),
  /** Recipients it was accepted for. */
  delivered: z.array(z.string()),
  /** Reasons by address of recipients who will not get it. */
  refusals: z.record(z.string(), z.string()),
  /** Why recipients who may still get it have not; null if there are none. */
  error: z.string().nullable(),
  /** What the server answered when it accepted; may be empty. */
  response: z.string(),
});

export type DeliveryLogEntry = z.output<typeof deliveryLogEntrySchema>;

/** Oldest first. */
export const deliveryLogSchema = z.array(deliveryLogEntrySchema);
