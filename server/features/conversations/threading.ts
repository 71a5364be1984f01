import { createHash } from 'node:crypto';

/**
 * Threading (contract section 6): two messages of one identity are joined if one refers to the other's Message-ID, in any order
 * of arrival; a conversation is a set of directly or transitively joined messages. Subjects are ignored.
 */

/** The parts of a message that threading uses. */
export interface Threaded {
  /** Message-ID with angle brackets. */
  messageId: string;
  /** The ids it refers to: References, In-Reply-To, and the message a bounce is about. */
  threadKeys: readonly string[];
}

/**
 * Keys of PostgreSQL's advisory locks (64 bits, signed) for a message: one for its own id and one for each it refers to. Two
 * messages that could be joined share one, so the later of the two sees the earlier.
 */
export function threadLocks(identityId: string, { messageId, threadKeys }: Threaded): bigint[] {
  const numbers = [messageId, ...threadKeys].map((key) =>
    createHash('sha256').update(identityId).update('\0').update(key).digest().readBigInt64BE(),
  );
  return [...new Set(numbers)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}

/** The fields of an existing conversation that decide a merge. */
export interface FoundConversation {
  id: string;
  createdAt: Date;
}

/** The conversation that the others are merged into: the oldest. Undefined for an empty list. */
export function survivorOf<T extends FoundConversation>(found: readonly T[]): T | undefined {
  return [...found].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1))[0];
}
