import { type DraftScope, draftKey, followDraft, readDraft } from '@/app/_kit/draft-store';
import { type ComposerValues, composerValuesSchema } from './composer-values';
import { replyDrafts } from './reply-drafts';

/** Replies that are not sent yet, in this browser: one for each conversation. */

export const replyDraftKey = (scope: DraftScope, conversationId: string) => draftKey(scope, `${replyDrafts}${conversationId}`);

/** What an entry of the storage holds; null for anything that this version did not write. */
const parseReply = (stored: unknown): ComposerValues | null => composerValuesSchema.safeParse(stored).data ?? null;

/** The reply under a key; null where there is none or the storage can't be read. */
export const loadReply = (key: string): ComposerValues | null => readDraft(key, parseReply);

/** Tells of replies that another tab keeps or removes, and of those that are restored here. Returns how to stop. */
export const followReply = (key: string, listener: (values: ComposerValues | null) => void) =>
  followDraft(key, (stored) => listener(parseReply(stored)));
