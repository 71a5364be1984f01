import * as z from 'zod';
import type { ReplyDraft } from '@/server/features/conversations/conversation.schema';
import { type ReplyInput, replyInput } from '@/server/features/conversations/message.schema';
import { emailAddress } from '@/server/platform/fields.schema';

/** The value for no agent: a select has no empty value. */
export const noAgent = 'none';

const recipient = z.object({ email: z.string(), displayName: z.string().nullable() });

/** The composer's values, and the shape of its stored draft. */
export const composerValuesSchema = z.object({
  from: z.string(),
  to: z.array(recipient),
  cc: z.array(recipient),
  text: z.string(),
  agentId: z.string(),
  quote: z.boolean(),
});

export type ComposerValues = z.output<typeof composerValuesSchema>;

/** The server limits their number. */
const recipients = z.array(recipient.extend({ email: emailAddress }));

/** The procedure's rules, and one of the page: the composer always lists its recipients, so there must be one. */
export const composerSchema = replyInput
  .pick({ text: true, from: true, quote: true })
  .required({ from: true })
  .extend({ to: recipients, cc: recipients, agentId: z.string() })
  .refine(({ to, cc }) => to.length + cc.length > 0, { path: ['to'], error: 'Add a recipient.' });

/**
 * The initial values of a reply: to all, from the address they wrote to, signed by the agent they wrote to, quoting their
 * message.
 */
export function initialValues(draft: ReplyDraft): ComposerValues {
  return {
    from: draft.senders[0]?.email ?? '',
    to: draft.to,
    cc: draft.cc,
    text: '',
    agentId: draft.agents.some(({ id }) => id === draft.agentId) && draft.agentId !== null ? draft.agentId : noAgent,
    quote: true,
  };
}

/** A stored draft, in which deleted senders or agents are replaced by the initial ones. */
export function resumedValues(kept: ComposerValues, draft: ReplyDraft): ComposerValues {
  const initial = initialValues(draft);
  return {
    ...kept,
    from: draft.senders.some(({ email }) => email === kept.from) ? kept.from : initial.from,
    agentId: kept.agentId === noAgent || draft.agents.some(({ id }) => id === kept.agentId) ? kept.agentId : initial.agentId,
  };
}

interface Answering {
  conversationId: string;
  /** Messages after this are not answered by the reply, and stay unread. */
  seenUntil: string;
  /** Whether to send it although another author has answered after that. */
  evenIfAnswered: boolean;
}

export function toReply(answering: Answering, values: ComposerValues): ReplyInput {
  const { from, to, cc, text, agentId, quote } = values;
  return { ...answering, from, to, cc, text, quote, agentId: agentId === noAgent ? null : agentId };
}
