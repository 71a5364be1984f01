import { useRef } from 'react';
import type { Presence } from '@/server/features/conversations/conversation.schema';
import type { ReplyInput } from '@/server/features/conversations/message.schema';
import { otherReplyOf, useAnswerWarning } from './answer-warning';
import { type ComposerValues, type timingOf, toReply } from './composer-values';
import { answeringOf } from './presence-labels';

interface GuardedReplyOptions {
  conversationId: string;
  /** When the newest message on the page arrived. */
  newest: string;
  /** What the other members do in the conversation. */
  others: Presence['others'];
  send: (reply: ReplyInput) => Promise<unknown>;
}

/** Sends replies, but not a second answer to the same message without asking. The page shows `warning`. */
export function useGuardedReply({ conversationId, newest, others, send }: GuardedReplyOptions) {
  const { ask, warning } = useAnswerWarning();
  /** What the author has seen, from the first letter on: a later answer of another author is noticed even if the page shows it. */
  const seen = useRef<string | null>(null);
  // A retry of the same text is the same reply, even if the first one has reached the thread and only its response was lost.
  const attempt = useRef({ content: '', seenUntil: newest });

  /** @returns false if the person wants to read first */
  const sendReply = async (values: ComposerValues, timing: ReturnType<typeof timingOf>): Promise<boolean> => {
    const [colleague] = answeringOf(others);
    if (colleague && !(await ask(colleague.name, false))) return false;
    const content = JSON.stringify([values, timing]);
    if (attempt.current.content !== content) attempt.current = { content, seenUntil: seen.current ?? newest };
    const { seenUntil } = attempt.current;
    try {
      await send({ ...toReply({ conversationId, seenUntil, evenIfAnswered: false }, values), ...timing });
    } catch (error) {
      const other = otherReplyOf(error);
      if (!other) throw error;
      if (!(await ask(other.name, true))) {
        seen.current = other.answeredAt;
        attempt.current.content = '';
        return false;
      }
      await send({ ...toReply({ conversationId, seenUntil, evenIfAnswered: true }, values), ...timing });
    }
    attempt.current.content = '';
    return true;
  };

  return {
    sendReply,
    warning,
    /** Called when the person writes. */
    noteWriting: () => {
      seen.current ??= newest;
    },
    /** Called when the composer is closed. */
    endWriting: () => {
      seen.current = null;
    },
  };
}
