import * as z from 'zod';

export const outboxStates = ['queued', 'sending', 'sent', 'failed'] as const;

export type OutboxStateName = (typeof outboxStates)[number];

/** An address with the name that is shown beside it. */
export const mailAddressSchema = z.object({ email: z.string(), displayName: z.string().nullable() });

/** What an outgoing mail is made of; kept as JSON until it is sent. */
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
  /** Sent by itself at some time, not by somebody's act: nobody's out-of-office notice should answer it (RFC 3834). */
  isAutomatic: z.boolean().optional(),
  /** An iTIP object (RFC 5546), sent as RFC 6047 has it. */
  calendar: z.object({ method: z.enum(['REQUEST', 'CANCEL']), content: z.string() }).optional(),
});

export type OutgoingMail = z.output<typeof outgoingMailSchema>;
