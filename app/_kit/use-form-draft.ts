'use client';

import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { FieldPath, FieldPathValue, FieldValues, UseFormReturn } from 'react-hook-form';
import { type DraftOffer, useDraftKey } from './draft-scope';
import { DraftKeeper, readDraft, removeDraft } from './draft-store';
import { draftOf, type FormDraft, readFormDraft, restoredPart } from './form-draft';
import { undoToast } from './undo-toast';

interface DraftKeeperOptions<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  /** Null for a form that keeps nothing. */
  draftKey: string | null;
  /** What is typed now, as it is kept; null where that is not worth keeping. */
  draft: () => unknown;
  /** A field was changed, rather than the form filled as a whole. */
  onTyped?: () => void;
  onKept?: (isKept: boolean) => void;
}

/** Keeps what is typed into a form in this browser; `forget` is for what was saved, sent or discarded. */
export function useDraftKeeper<Values extends FieldValues>(options: DraftKeeperOptions<Values>): DraftKeeper {
  const { form, draftKey } = options;
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const keeper = useMemo(
    () =>
      new DraftKeeper(
        () => draftKey,
        () => latest.current.draft(),
        (isKept) => latest.current.onKept?.(isKept),
      ),
    [draftKey],
  );
  useEffect(() => {
    const { unsubscribe } = form.watch((_, { name }) => {
      if (name !== undefined) latest.current.onTyped?.();
      keeper.touch();
    });
    window.addEventListener('pagehide', keeper.flush);
    return () => {
      keeper.flush();
      unsubscribe();
      window.removeEventListener('pagehide', keeper.flush);
    };
  }, [form, keeper]);
  return keeper;
}

export interface FormDraftOptions<Values extends FieldValues> {
  /** The form, with the record it is about: `customer.<id>`; undefined for a form that keeps nothing. */
  name: string | undefined;
  form: UseFormReturn<Values>;
  parts: readonly FieldPath<Values>[];
  /** What the form was filled with, and the version of that. */
  stored: () => { values: Values; version: string | null };
  /** Paths that are never kept, such as passwords. */
  secrets?: readonly FieldPath<Values>[];
  /** The record does not exist yet. */
  isNew?: boolean;
  /** Restores the draft without asking: someone has asked for it already. */
  restoresAtOnce?: boolean;
  /** Called before parts are restored. */
  onRestore?: (draft: FormDraft) => void;
}

/**
 * Keeps what is typed into a form in this browser until it is saved or discarded, and offers it when the form is opened again: after
 * the session ended elsewhere, a crash, a reload.
 *
 * `forget` is for what was saved, or what someone has decided to leave.
 */
export function useFormDraft<Values extends FieldValues>(options: FormDraftOptions<Values>) {
  const { form, parts, secrets, isNew = false } = options;
  const key = useDraftKey(options.name);
  const [offered, setOffered] = useState<FormDraft | null>(null);
  const pending = useRef<FormDraft | null>(null);

  const keeper = useDraftKeeper({
    form,
    draftKey: key,
    draft: () => {
      const { values, version } = options.stored();
      const typed = { parts, base: values, typed: form.getValues(), version, isNew, ...(secrets ? { secrets } : {}) };
      return draftOf(typed, pending.current, new Date());
    },
  });

  const offer = useCallback((draft: FormDraft | null) => {
    pending.current = draft;
    setOffered(draft);
  }, []);

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

  const lookUp = useEffectEvent((from: string) => {
    const found = readDraft(from, (stored) => readFormDraft(stored, parts, form.getValues()));
    if (found === null) removeDraft(from);
    if (found && options.restoresAtOnce) restore(found);
    else offer(found);
  });
  // Not while rendering: the server knows nothing of drafts.
  useEffect(() => {
    if (key !== null) lookUp(key);
  }, [key]);

  const forget = useCallback(() => {
    offer(null);
    keeper.forget();
  }, [offer, keeper]);

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
