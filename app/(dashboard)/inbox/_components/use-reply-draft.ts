import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { type DraftScope, draftKey, followDraft, readDraft } from '@/app/_kit/draft-store';
import { isSame } from '@/app/_kit/is-same';
import { useDraftKeeper } from '@/app/_kit/use-form-draft';
import { type ComposerValues, composerValuesSchema } from './composer-values';

export const replyDraftKey = (scope: DraftScope, conversationId: string) => draftKey(scope, `reply.${conversationId}`);

/** Parses a stored entry; null if it has another format. */
const parseReply = (stored: unknown): ComposerValues | null => composerValuesSchema.safeParse(stored).data ?? null;

/** The reply stored under a key; null if there is none or the storage can't be read. */
export const loadReply = (key: string): ComposerValues | null => readDraft(key, parseReply);

interface ReplyDraftOptions {
  form: UseFormReturn<ComposerValues>;
  draftKey: string;
  /** The initial values; an identical draft is not stored. */
  initial: ComposerValues;
  /** Adapts a stored draft to the choices available now. */
  resume: (draft: ComposerValues) => ComposerValues;
  /** Another tab, or an undo, restored a draft (true) or removed it (false). */
  onReceived: (isThere: boolean) => void;
}

/**
 * Stores a reply in this browser, and syncs the form with other tabs while nothing is typed in this one.
 *
 * `isKept` says whether the current form would survive a reload. `forget` is for a reply that is sent or discarded.
 */
export function useReplyDraft({ form, draftKey: key, initial, resume, onReceived }: ReplyDraftOptions) {
  const [isKept, setIsKept] = useState(() => loadReply(key) !== null);
  /** Whether something was typed here since the form was last filled from elsewhere. */
  const isTouched = useRef(false);
  const keeper = useDraftKeeper({
    form,
    draftKey: key,
    draft: () => (isSame(form.getValues(), initial) ? null : form.getValues()),
    onTyped: () => {
      isTouched.current = true;
    },
    onKept: setIsKept,
  });

  const receive = useEffectEvent((draft: ComposerValues | null) => {
    if (isTouched.current) return;
    setIsKept(draft !== null);
    form.reset(draft ? resume(draft) : initial);
    onReceived(draft !== null);
  });
  useEffect(() => followDraft(key, (stored) => receive(parseReply(stored))), [key]);

  // New mail may have changed the recipients of a reply; an untouched reply follows.
  const follow = useEffectEvent(() => {
    if (!isTouched.current && !isKept && !isSame(form.getValues(), initial)) form.reset(initial);
  });
  useEffect(() => {
    if (initial) follow();
  }, [initial]);

  const forget = () => {
    isTouched.current = false;
    keeper.forget();
    form.reset(initial);
  };

  return { isKept, forget };
}
