'use client';

import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { FieldPath, FieldPathValue, FieldValues, UseFormReturn } from 'react-hook-form';
import { useDraftScope } from './draft-scope';
import { draftKey, readDraft, removeDraft, writeDraft } from './draft-store';
import { draftOf, type FormDraft, readFormDraft, restoredPart } from './form-draft';
import { undoToast } from './undo-toast';

const pauseMilliseconds = 300;

interface FormDraftOptions<Values extends FieldValues> {
  /** The form, with the record it is about: `customer.<id>`; undefined for a form that keeps nothing. */
  name: string | undefined;
  form: UseFormReturn<Values>;
  parts: readonly FieldPath<Values>[];
  /** What the form was filled with, and when that was last changed. */
  stored: () => { values: Values; version: string | null };
  /** Paths that are never kept, such as passwords. */
  secrets?: readonly FieldPath<Values>[];
  /** The record does not exist yet. */
  isNew?: boolean;
  /** Puts the draft back without asking: someone has asked for it already. */
  restoresAtOnce?: boolean;
  /** Called before parts are put back. */
  onRestore?: (draft: FormDraft) => void;
}

/** What was typed into this form before, in this browser, and can be put back. */
export interface DraftOffer {
  at: string;
  restore: () => void;
  discard: () => void;
}

/**
 * Keeps what is typed into a form in this browser until it is saved or discarded, and offers it when the form is opened again: after
 * the session ended elsewhere, a crash, a reload.
 *
 * `forget` is for what was saved, or what someone has decided to leave.
 */
export function useFormDraft<Values extends FieldValues>(options: FormDraftOptions<Values>) {
  const { name, form, parts, secrets, isNew = false } = options;
  const scope = useDraftScope();
  const key = scope && name !== undefined ? draftKey(scope, name) : null;
  const [offered, setOffered] = useState<FormDraft | null>(null);
  const pending = useRef<FormDraft | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const offer = (draft: FormDraft | null) => {
    pending.current = draft;
    setOffered(draft);
  };

  const restore = (draft: FormDraft) => {
    const current = form.getValues();
    options.onRestore?.(draft);
    offer(null);
    for (const part of parts) {
      if (!(part in draft.typed)) continue;
      const value = restoredPart(part, draft, current, secrets) as FieldPathValue<Values, typeof part>;
      form.setValue(part, value, { shouldDirty: true });
    }
  };

  const lookUp = useEffectEvent(() => {
    if (key === null) return;
    const found = readDraft(key, (stored) => readFormDraft(stored, parts, form.getValues()));
    if (found === null) removeDraft(key);
    if (found && options.restoresAtOnce) restore(found);
    else offer(found);
  });
  // Not while rendering: the server knows nothing of drafts.
  useEffect(() => {
    if (key !== null) lookUp();
  }, [key]);

  const keepNow = useEffectEvent(() => {
    if (timer.current === undefined || key === null) return;
    clearTimeout(timer.current);
    timer.current = undefined;
    const { values, version } = options.stored();
    const draft = draftOf(
      { parts, base: values, typed: form.getValues(), version, isNew, ...(secrets ? { secrets } : {}) },
      pending.current,
      new Date(),
    );
    if (draft) writeDraft(key, draft);
    else removeDraft(key);
  });

  useEffect(() => {
    if (key === null) return;
    const { unsubscribe } = form.watch(() => {
      clearTimeout(timer.current);
      timer.current = setTimeout(() => keepNow(), pauseMilliseconds);
    });
    const onPageHide = () => keepNow();
    window.addEventListener('pagehide', onPageHide);
    return () => {
      keepNow();
      unsubscribe();
      window.removeEventListener('pagehide', onPageHide);
    };
  }, [form, key]);

  const forget = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = undefined;
    pending.current = null;
    setOffered(null);
    if (key !== null) removeDraft(key);
  }, [key]);

  const draft: DraftOffer | null = offered && {
    at: offered.at,
    restore: () => restore(offered),
    discard: () => {
      forget();
      undoToast({ message: 'Unsaved changes discarded', onUndo: () => restore(offered) });
    },
  };
  return { draft, forget };
}
