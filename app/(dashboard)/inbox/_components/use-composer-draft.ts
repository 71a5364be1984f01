import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { type DraftScope, draftKey, followDraft, readDraft } from '@/app/_kit/draft-store';
import { isSame } from '@/app/_kit/is-same';
import { useDraftKeeper } from '@/app/_kit/use-form-draft';
import { type ComposerValues, composerValuesSchema } from './composer-values';
import { replyDrafts } from './draft-names';

export const replyDraftKey = (scope: DraftScope, conversationId: string) => draftKey(scope, `${replyDrafts}${conversationId}`);

/** Parses a stored entry; null if it has another format. */
const parseStored = (stored: unknown): ComposerValues | null => composerValuesSchema.safeParse(stored).data ?? null;

/** The email stored under a key; null if there is none or the storage can't be read. */
export const loadDraft = (key: string): ComposerValues | null => readDraft(key, parseStored);

interface ComposerDraftOptions {
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
 * Stores an email in this browser, and syncs the form with other tabs while nothing is typed in this one.
 *
 * `isKept` says whether the current form would survive a reload. `forget` is for one that is sent or discarded.
 */
export function useComposerDraft({ form, draftKey: key, initial, resume, onReceived }: ComposerDraftOptions) {
  const [isKept, setIsKept] = useState(() => loadDraft(key) !== null);
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
  useEffect(() => followDraft(key, (stored) => receive(parseStored(stored))), [key]);

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
