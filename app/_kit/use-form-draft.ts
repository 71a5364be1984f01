import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { FieldPath, FieldPathValue, FieldValues, UseFormReturn } from 'react-hook-form';
import { type DraftOffer, useDraftKey } from './draft-scope';
import { DraftKeeper, readDraft, removeDraft } from './draft-store';
import { draftOf, type FormDraft, readFormDraft, restoredPart } from './form-draft';
import { undoToast } from './undo-toast';

interface DraftKeeperOptions<Values extends FieldValues> {
  form: UseFormReturn<Values>;
  /** Null for a form without drafts. */
  draftKey: string | null;
  /** The current input as a draft; null if it is not worth storing. */
  draft: () => unknown;
  /** Called after a field was changed, but not after the form was filled as a whole. */
  onTyped?: () => void;
  onKept?: (isKept: boolean) => void;
}

/** Stores a form's input in this browser; `forget` is for input that was saved, sent or discarded. */
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
  /** The form, with the record it is about: `customer.<id>`; undefined for a form without drafts. */
  name: string | undefined;
  form: UseFormReturn<Values>;
  parts: readonly FieldPath<Values>[];
  /** The values that the form was filled with, and their version. */
  stored: () => { values: Values; version: number };
  /** Paths that are never stored, such as passwords. */
  secrets?: readonly FieldPath<Values>[];
  /** The record does not exist yet. */
  isNew?: boolean;
  /** Restores the draft without asking, since it was requested already. */
  restoresWithoutAsking?: boolean;
  /** Called before parts are restored. */
  onRestore?: (draft: FormDraft) => void;
}

/**
 * Stores a form's input in this browser until it is saved or discarded, and offers it when the form is opened again: after the
 * session ended elsewhere, a crash, a reload.
 *
 * `forget` is for input that was saved, or that the user decided to lose.
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
    if (found && options.restoresWithoutAsking) restore(found);
    else offer(found);
  });
  // Not during rendering, since the server has no drafts.
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
