import { type BaseSyntheticEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type DefaultValues, type FieldPath, type FieldValues, get, type Resolver, set, useForm } from 'react-hook-form';
import { isSame } from './is-same';
import { describeValue, type StoredRecord, saveRecord } from './record-merge';
import { validationTiming } from './schema-resolver';
import { offerUndo } from './undo';
import { undoMilliseconds, undoToast } from './undo-toast';
import { type FormDraftOptions, useFormDraft } from './use-form-draft';
import { useFormErrors } from './use-form-errors';

interface RecordFormOptions<Values extends FieldValues>
  extends Pick<FormDraftOptions<Values>, 'isNew' | 'secrets' | 'restoresWithoutAsking'> {
  /** The stored record as form values. Keep the object stable while the record is the same. */
  values: Values;
  /** Its `revision`; 0 for a new one. */
  version: number;
  resolver: Resolver<Values>;
  /** The parts that are saved separately, with their labels; only changed ones are passed to `save`. */
  parts: Readonly<Partial<Record<FieldPath<Values>, string>>>;
  /**
   * Stores the changed parts if the record still has `version` (see `ifMatch`), else fails with `precondition_failed`. Returns
   * the stored record, or null if the user decided against saving.
   */
  save: (values: Values, changed: ReadonlySet<FieldPath<Values>>, version: number) => Promise<StoredRecord<Values> | null>;
  /** Fetches the current record from the server. */
  fetchNewest: () => Promise<StoredRecord<Values>>;
  mapPath?: (path: string) => string | null;
  /** The name of the draft: `customer.<id>`. */
  draftName: string;
  /**
   * Applies my changes of `base` to `theirs`, for a record whose parts depend on each other. Any change elsewhere is then a
   * conflict, even before saving, and the form stays unchanged until that is resolved.
   */
  rebase?: (base: Values, mine: Values, theirs: Values) => Values;
  /** Calls `save` even if nothing was changed. */
  savesUnchanged?: boolean;
  /** Called before validation, to complete the input. */
  onSubmit?: () => void;
  /** Returns true if the caller shows the failure itself. */
  onFailed?: (error: unknown) => boolean;
}

/** Parts that both sides changed: nothing is saved until one version is chosen. */
export interface RecordConflict {
  /** Each part's label and the other side's value. */
  parts: { name: string; theirs: string }[];
  keepMine: () => void;
  takeTheirs: () => void;
}

/**
 * A form for an existing record: saved in place, and possibly changed elsewhere in the meantime.
 *
 * Only changed parts are sent, so two people editing different parts do not undo each other; if they changed the same part,
 * that becomes a `conflict` and nothing is saved until it is resolved. If the record changes while there is no input, the form
 * takes it over. Input typed while saving stays, and so does everything after a failure.
 */
export function useRecordForm<Values extends FieldValues>(options: RecordFormOptions<Values>) {
  const { values, version, resolver, save, fetchNewest, mapPath, rebase } = options;
  const parts = Object.keys(options.parts) as FieldPath<Values>[];
  const form = useForm<Values>({ defaultValues: values as DefaultValues<Values>, resolver, ...validationTiming });
  const { failure, showError, clearFailure } = useFormErrors(form, mapPath);
  const [isSaving, setIsSaving] = useState(false);
  /** Undoes what was saved a moment ago. */
  const [undo, setUndo] = useState<(() => void) | null>(null);
  const [conflict, setConflict] = useState<{ newest: StoredRecord<Values>; parts: FieldPath<Values>[] } | null>(null);
  /** Set on the first press, before validation: a second press must not save twice. */
  const isBusy = useRef(false);
  const { isDirty } = form.formState;
  /** The last known record, and the one that the form was last filled with. */
  const latest = useRef<StoredRecord<Values>>({ values, version });
  const baseline = useRef<StoredRecord<Values>>({ values, version });
  /** The values that a save has replaced, although the page may still pass them in for a moment. */
  const handedIn = useRef(values);
  const superseded = useRef<Values | null>(null);

  const { isNew, secrets, restoresWithoutAsking } = options;
  const { draft, forget } = useFormDraft<Values>({
    name: options.draftName,
    form,
    parts,
    ...(isNew === undefined ? {} : { isNew }),
    ...(secrets === undefined ? {} : { secrets }),
    ...(restoresWithoutAsking === undefined ? {} : { restoresWithoutAsking }),
    stored: () => baseline.current,
    // A draft based on an older record is saved as such, so that changes made elsewhere in the meantime are detected.
    onRestore: ({ base, version: typedOver }) => {
      if (rebase || typedOver === baseline.current.version) return;
      const restored = parts.filter((part) => part in base);
      const before = structuredClone(baseline.current.values);
      for (const part of restored) set(before, part, base[part]);
      baseline.current = { values: before, version: typedOver };
    },
  });

  useEffect(() => {
    handedIn.current = values;
    if (values === superseded.current) return;
    latest.current = { values, version };
    // While saving, the response decides (see settle).
    if (isSaving) return;
    if (rebase) {
      if (version !== baseline.current.version) setConflict({ newest: { values, version }, parts: [] });
      return;
    }
    if (isSame(baseline.current.values, values)) {
      // Nothing that this form shows has changed.
      baseline.current = { values, version };
      return;
    }
    if (isDirty) return;
    baseline.current = { values, version };
    if (!isSame(form.getValues(), values)) form.reset(values);
  }, [values, version, isDirty, isSaving, form, rebase]);

  useEffect(() => {
    if (!undo || isDirty) return;
    let isOpen = true;
    offerUndo({ undo, isOpen: () => isOpen });
    const timer = setTimeout(() => setUndo(null), undoMilliseconds);
    return () => {
      isOpen = false;
      clearTimeout(timer);
    };
  }, [undo, isDirty]);

  /** Saves what these parts were before. If they were changed elsewhere in the meantime, that is a conflict like any other. */
  const putBack = (before: Values, changed: readonly FieldPath<Values>[]) => {
    setUndo(null);
    for (const part of changed) form.setValue(part, get(before, part), { shouldDirty: true });
    void submit();
  };

  /** Makes `stored` the saved state without changing fields that differ from `submitted`, which are unsaved input. */
  const settle = (stored: StoredRecord<Values>, submitted: Values) => {
    superseded.current = handedIn.current;
    latest.current = stored;
    baseline.current = stored;
    form.reset(stored.values, { keepValues: true });
    for (const part of parts) {
      const current = get(form.getValues(), part);
      const isUntouched = isSame(current, get(submitted, part));
      if (isUntouched && !isSame(current, get(stored.values, part)))
        form.setValue(part, get(stored.values, part), { shouldDirty: true });
    }
  };

  const saveChecked = form.handleSubmit(async (checked) => {
    const base = baseline.current;
    const isUnchanged = parts.every((part) => isSame(get(form.getValues(), part), get(base.values, part)));
    if (isUnchanged && !options.savesUnchanged) return;
    const submitted = structuredClone(checked);
    setIsSaving(true);
    clearFailure();
    setConflict(null);
    try {
      const asksAlways = rebase !== undefined;
      const outcome = await saveRecord({ parts, base, typed: submitted, save, fetchNewest, asksAlways });
      if (outcome.kind === 'saved') {
        settle(outcome.stored, submitted);
        const changed = parts.filter((part) => !isSame(get(submitted, part), get(base.values, part)));
        setUndo(() => () => putBack(base.values, changed));
      } else if (outcome.kind === 'conflict') {
        // Takes over other parts that were changed elsewhere; my changes still have to be saved.
        if (!rebase) settle(outcome.newest, base.values);
        setConflict(outcome);
      }
    } catch (error) {
      if (!options.onFailed?.(error)) showError(error);
    } finally {
      setIsSaving(false);
    }
  });
  const submit = async (event?: BaseSyntheticEvent) => {
    if (isBusy.current) return;
    isBusy.current = true;
    options.onSubmit?.();
    await saveChecked(event).finally(() => {
      isBusy.current = false;
    });
  };

  const keepMine = () => {
    if (rebase && conflict) {
      const { newest } = conflict;
      const merged = rebase(baseline.current.values, form.getValues(), newest.values);
      baseline.current = newest;
      form.reset(newest.values);
      for (const part of parts) form.setValue(part, get(merged, part), { shouldDirty: true });
      setConflict(null);
    }
    void submit();
  };

  const takeTheirs = () => {
    if (!conflict) return;
    for (const part of conflict.parts) form.setValue(part, get(conflict.newest.values, part), { shouldDirty: true });
    setConflict(null);
    // The remaining changes were to be saved as well.
    void submit();
  };

  const onSubmit = (event?: BaseSyntheticEvent) => {
    event?.preventDefault();
    // Saving by a shortcut or Enter does not resolve a conflict.
    return conflict && !rebase ? Promise.resolve() : submit(event);
  };

  const discard = () => {
    const typed = structuredClone(form.getValues());
    const changed = parts.filter((part) => !isSame(get(typed, part), get(baseline.current.values, part)));
    clearFailure();
    setConflict(null);
    baseline.current = latest.current;
    form.reset(latest.current.values);
    undoToast({
      message: 'Changes discarded',
      onUndo: () => {
        for (const part of changed) form.setValue(part, get(typed, part), { shouldDirty: true });
      },
    });
  };

  /** Ctrl+S or ⌘S saves from any field of the form. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    event.preventDefault();
    void onSubmit();
  };

  return {
    form,
    isDirty,
    isSaving,
    undo,
    failure,
    draft,
    /** Discards the draft of changes that the user decided to lose. */
    forgetDraft: forget,
    conflict: conflict && {
      parts: conflict.parts.map((part) => ({
        name: options.parts[part] ?? part,
        theirs: describeValue(get(conflict.newest.values, part)),
      })),
      keepMine,
      takeTheirs,
    },
    discard,
    formProps: { method: 'post', onSubmit, onKeyDown, noValidate: true },
  };
}
