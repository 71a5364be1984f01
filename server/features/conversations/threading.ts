import { createHash } from 'node:crypto';

/**
 * Which messages belong together (contract section 6): two messages of one identity are joined where one names the other's Message-ID,
 * whichever came first; a conversation is what is joined, directly or through others. Subjects say nothing.
 */

/** A message as far as threading is concerned. */
export interface Threaded {
  /** Message-ID with angle brackets. */
  messageId: string;
  /** The ids it names: References, In-Reply-To, and the message a bounce is about. */
  threadKeys: readonly string[];
}

/**
 * Numbers of PostgreSQL's advisory locks (64 bits, signed) for a message: one for its own id and one for each it names. Two messages
 * that could be joined share one, so the later of the two sees the earlier.
 */
export function threadLocks(identityId: string, { messageId, threadKeys }: Threaded): bigint[] {
  const numbers = [messageId, ...threadKeys].map((key) =>
    createHash('sha256').update(identityId).update('\0').update(key).digest().readBigInt64BE(),
  );
  return [...new Set(numbers)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** What a new message finds of the conversations it joins. */
export interface FoundConversation {
  id: string;
  createdAt: Date;
}

/** The conversation that stays where several turn out to be one: the oldest. Undefined for none. */
export function survivorOf<T extends FoundConversation>(found: readonly T[]): T | undefined {
  return [...found].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1))[0];
}
