import * as z from 'zod';
import { isSame } from '@/app/_kit/is-same';
import type { ComposerChoices, NewEmailDraft, ReplyDraft } from '@/server/features/conversations/composer.schema';
import type { Draft } from '@/server/features/conversations/draft.schema';
import {
  type NewConversationInput,
  newConversationInput,
  type ReplyInput,
  replyInput,
  uploadSchema,
} from '@/server/features/conversations/message.schema';
import { emailAddress } from '@/server/platform/fields.schema';
import { emailFormats } from '@/server/platform/mail/email-formats.schema';
import type { ServerDraft } from './draft-sync';

/** The value for no agent: a select has no empty value. */
export const noAgent = 'none';

const recipient = z.object({ email: z.string(), displayName: z.string().nullable() });

/** A file that is uploaded, as the composer shows it. */
const attachment = uploadSchema.pick({ id: true, filename: true, contentType: true, size: true });

/** The composer's values, and the shape of its stored draft. Drafts of versions before 0.9.1 lack those with a default. */
export const composerValuesSchema = z.object({
  from: z.string(),
  to: z.array(recipient),
  cc: z.array(recipient),
  bcc: z.array(recipient).default([]),
  /** Of a new email; a reply has that of its conversation. */
  subject: z.string().default(''),
  /** How the text is written. */
  format: z.enum(emailFormats).default('plain'),
  text: z.string(),
  agentId: z.string(),
  /** Whether a reply quotes what it answers. */
  quote: z.boolean(),
  attachments: z.array(attachment).default([]),
  forwardMessageId: z.string().nullable().default(null),
});

export type ComposerValues = z.output<typeof composerValuesSchema>;

/** The server limits their number. */
const recipients = z.array(recipient.extend({ email: emailAddress }));

const outgoing = replyInput
  .pick({ text: true, from: true, quote: true })
  .required({ from: true })
  .extend({ to: recipients, cc: recipients, bcc: recipients, agentId: z.string() });

/** The procedure's rules, and one of the page: the composer always lists its recipients, so there must be one. */
export const replySchema = outgoing.refine(({ to, cc, bcc }) => to.length + cc.length + bcc.length > 0, {
  path: ['to'],
  error: 'Add a recipient.',
});

export const newEmailSchema = outgoing.extend({
  to: recipients.min(1, { error: 'Add a recipient.' }),
  subject: newConversationInput.shape.subject.refine((subject) => subject.trim() !== '', { error: 'Add a subject.' }),
});

/** A forwarded message needs no text. */
export const forwardSchema = newEmailSchema.extend({ text: newConversationInput.shape.text });

function emptyValues({ senders, emailFormat }: ComposerChoices): ComposerValues {
  return {
    ...{ from: senders[0]?.email ?? '', agentId: noAgent, subject: '', format: emailFormat, text: '', quote: false },
    ...{ to: [], cc: [], bcc: [], attachments: [], forwardMessageId: null },
  };
}

interface NewEmail {
  to?: ComposerValues['to'];
  forwardMessageId?: string | null;
}

/** The initial values of a new email: with subject and attachments of the message that it forwards. */
export function newEmailValues(
  { forwarded, ...choices }: Pick<NewEmailDraft, keyof ComposerChoices | 'forwarded'>,
  { to = [], forwardMessageId = null }: NewEmail = {},
): ComposerValues {
  const empty = { ...emptyValues(choices), to };
  return forwarded ? { ...empty, subject: forwarded.subject, attachments: forwarded.attachments, forwardMessageId } : empty;
}

/**
 * The initial values of a reply: to all, from the address they wrote to, signed by the agent they wrote to, quoting their
 * message.
 */
export function replyValues(draft: ReplyDraft): ComposerValues {
  const { to, cc, agents, agentId } = draft;
  const signs = agents.some(({ id }) => id === agentId);
  return { ...emptyValues(draft), to, cc, agentId: signs && agentId !== null ? agentId : noAgent, quote: true };
}

/** A stored draft, in which deleted senders or agents are replaced by the initial ones. */
export function resumedValues(kept: ComposerValues, initial: ComposerValues, choices: ComposerChoices): ComposerValues {
  const { senders, agents } = choices;
  return {
    ...kept,
    from: senders.some(({ email }) => email === kept.from) ? kept.from : initial.from,
    agentId: kept.agentId === noAgent || agents.some(({ id }) => id === kept.agentId) ? kept.agentId : initial.agentId,
  };
}

const singleFields = ['from', 'subject', 'text', 'agentId', 'quote', 'forwardMessageId'] as const;

/** Whether two emails are the same to who writes them. */
export function isSameEmail(one: ComposerValues, other: ComposerValues): boolean {
  const contentOf = (values: ComposerValues) => [
    ...[values.to, values.cc, values.bcc].map((list) => list.map(({ email, displayName }) => [email, displayName])),
    values.attachments.map(({ id }) => id),
    ...singleFields.map((name) => values[name]),
    // Without a text, it is written in no format yet.
    values.text === '' ? null : values.format,
  ];
  return isSame(contentOf(one), contentOf(other));
}

/** What the server keeps of an email that is being written. */
export function toDraft({ from, agentId, attachments, ...content }: ComposerValues) {
  return {
    ...content,
    from: from || null,
    agentId: agentId === noAgent ? null : agentId,
    attachmentIds: attachments.map(({ id }) => id),
  };
}

export function fromDraft({ id, revision, ...draft }: Draft): ServerDraft<ComposerValues> {
  const values = composerValuesSchema.parse({ ...draft, from: draft.from ?? '', agentId: draft.agentId ?? noAgent });
  return { id, revision, values };
}

interface Answering {
  conversationId: string;
  /** Messages after this are not answered by the reply, and stay unread. */
  seenUntil: string;
  /** Whether to send it although another author has answered after that. */
  evenIfAnswered: boolean;
}

/** When an email is sent, if not at once. */
export interface SendLater {
  /** ISO 8601. */
  sendAt: string;
  /** Whether a message that comes in before cancels it. */
  cancelIfReply: boolean;
}

/** When an email is sent: later, or at once but so that it can be taken back for some seconds. */
export function timingOf({ undoSeconds }: Pick<ComposerChoices, 'undoSeconds'>, later: SendLater | null) {
  return later ?? { holdSeconds: undoSeconds };
}

function toOutgoing({ from, to, cc, bcc, format, text, agentId, attachments }: ComposerValues) {
  const attachmentIds = attachments.map(({ id }) => id);
  return { from, to, cc, bcc, format, text, agentId: agentId === noAgent ? null : agentId, attachmentIds };
}

export function toReply(answering: Answering, values: ComposerValues): ReplyInput {
  return { ...answering, ...toOutgoing(values), quote: values.quote };
}

export function toNewEmail(values: ComposerValues): NewConversationInput {
  return { ...toOutgoing(values), subject: values.subject, forwardMessageId: values.forwardMessageId ?? undefined };
}

/** The form's path of a field of the procedures. */
export function composerPath(path: string): string {
  return path.replace(/^attachmentIds\b/, 'attachments');
}
