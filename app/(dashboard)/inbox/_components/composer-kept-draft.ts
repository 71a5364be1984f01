'use client';

import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { removeDraft, writeDraft } from '@/app/_kit/draft-store';
import { followReply, loadReply } from './composer-storage';
import type { ComposerValues } from './composer-values';

const pauseMilliseconds = 300;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

interface KeptDraftOptions {
  form: UseFormReturn<ComposerValues>;
  draftKey: string;
  /** What a reply begins with; a draft that says just that is not worth keeping. */
  initial: ComposerValues;
  /** Makes a kept draft fit what there is to choose from now. */
  resume: (kept: ComposerValues) => ComposerValues;
  /** Another tab, or an undo, handed in a draft (true) or took it away (false). */
  onHandedIn: (isThere: boolean) => void;
}

/**
 * Keeps what is typed on this device, and the form in step with other tabs for as long as nothing is typed in this one.
 *
 * `isKept` says whether the form as it is would survive a reload. `forget` is for what is sent or discarded.
 */
export function useKeptDraft({ form, draftKey, initial, resume, onHandedIn }: KeptDraftOptions) {
  const [isKept, setIsKept] = useState(() => loadReply(draftKey) !== null);
  /** Whether something was typed here since the form was last filled from elsewhere. */
  const isTouched = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const keepNow = useEffectEvent(() => {
    if (timer.current === undefined) return;
    clearTimeout(timer.current);
    timer.current = undefined;
    const values = form.getValues();
    if (isSame(values, initial)) {
      removeDraft(draftKey);
      setIsKept(false);
    } else {
      setIsKept(writeDraft(draftKey, values));
    }
  });

  useEffect(() => {
    const { unsubscribe } = form.watch((_, { name }) => {
      // Without a name it was filled as a whole, which is not typing.
      if (name === undefined) return;
      isTouched.current = true;
      clearTimeout(timer.current);
      timer.current = setTimeout(keepNow, pauseMilliseconds);
    });
    window.addEventListener('pagehide', keepNow);
    return () => {
      keepNow();
      unsubscribe();
      window.removeEventListener('pagehide', keepNow);
    };
  }, [form]);

  const takeOver = useEffectEvent((kept: ComposerValues | null) => {
    if (isTouched.current) return;
    setIsKept(kept !== null);
    form.reset(kept ? resume(kept) : initial);
    onHandedIn(kept !== null);
  });
  useEffect(() => followReply(draftKey, takeOver), [draftKey]);

  // New mail may have changed whom a reply goes to; what nobody has touched follows.
  const follow = useEffectEvent(() => {
    if (!isTouched.current && !isKept && !isSame(form.getValues(), initial)) form.reset(initial);
  });
  useEffect(() => {
    if (initial) follow();
  }, [initial]);

  const forget = () => {
    clearTimeout(timer.current);
    timer.current = undefined;
    isTouched.current = false;
    removeDraft(draftKey);
    setIsKept(false);
    form.reset(initial);
  };

  return { isKept, forget };
}
