'use client';

import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { type DefaultValues, type FieldPath, type FieldValues, get, type Resolver, useForm } from 'react-hook-form';
import { validationTiming } from './schema-resolver';
import { undoToast } from './undo-toast';
import { useFormErrors } from './use-form-errors';

interface RecordFormOptions<Values extends FieldValues> {
  /** The stored record as form values. Keep the object stable while the record is the same. */
  values: Values;
  resolver: Resolver<Values>;
  /** The parts that are saved on their own; only those that changed are handed to `save`. */
  parts: readonly FieldPath<Values>[];
  /** Stores the changed parts and answers the form values of the record as it is then. */
  save: (values: Values, changed: ReadonlySet<FieldPath<Values>>) => Promise<Values>;
  mapPath?: (path: string) => string | null;
}

const savedNoteMilliseconds = 2500;

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * A form over a record that exists: saved in place, and possibly changed elsewhere meanwhile.
 *
 * Only changed parts are sent, so two people editing different parts do not undo each other. A record that changes underneath is
 * taken over while nothing is typed. What is typed while saving stays, and so does everything after a failure.
 */
export function useRecordForm<Values extends FieldValues>(options: RecordFormOptions<Values>) {
  const { values, resolver, parts, save, mapPath } = options;
  const form = useForm<Values>({ defaultValues: values as DefaultValues<Values>, resolver, ...validationTiming });
  const { failure, showError, clearFailure } = useFormErrors(form, mapPath);
  const [isSaving, setIsSaving] = useState(false);
  const [isSaved, setIsSaved] = useState(false);
  const { isDirty } = form.formState;
  /** The record as last heard of, and as the form was last filled with. */
  const latest = useRef(values);
  const baseline = useRef(values);
  /** What a save has made old, although the page may go on handing it in for a moment. */
  const handedIn = useRef(values);
  const superseded = useRef<Values | null>(null);

  useEffect(() => {
    handedIn.current = values;
    if (values === superseded.current) return;
    latest.current = values;
    // While saving, what counts is the answer (see settle).
    if (isDirty || isSaving || isSame(form.getValues(), values)) return;
    baseline.current = values;
    form.reset(values);
  }, [values, isDirty, isSaving, form]);

  useEffect(() => {
    if (!isSaved) return;
    const timer = setTimeout(() => setIsSaved(false), savedNoteMilliseconds);
    return () => clearTimeout(timer);
  }, [isSaved]);

  const changedParts = () => {
    const current = form.getValues();
    return new Set(parts.filter((part) => !isSame(get(current, part), get(baseline.current, part))));
  };

  /** Makes `stored` the saved state without touching the fields that were typed in since `submitted`. */
  const settle = (stored: Values, submitted: Values) => {
    superseded.current = handedIn.current;
    latest.current = stored;
    baseline.current = stored;
    form.reset(stored, { keepValues: true });
    for (const part of parts) {
      const current = get(form.getValues(), part);
      const isUntouched = isSame(current, get(submitted, part));
      if (isUntouched && !isSame(current, get(stored, part))) form.setValue(part, get(stored, part), { shouldDirty: true });
    }
  };

  const onSubmit = form.handleSubmit(async (checked) => {
    const changed = changedParts();
    if (changed.size === 0 || isSaving) return;
    const submitted = structuredClone(checked);
    setIsSaving(true);
    clearFailure();
    try {
      settle(await save(submitted, changed), submitted);
      setIsSaved(true);
    } catch (error) {
      showError(error);
    } finally {
      setIsSaving(false);
    }
  });

  const discard = () => {
    const typed = structuredClone(form.getValues());
    const changed = changedParts();
    clearFailure();
    baseline.current = latest.current;
    form.reset(latest.current);
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
    isSaved,
    failure,
    discard,
    formProps: { method: 'post', onSubmit, onKeyDown, noValidate: true },
  };
}
