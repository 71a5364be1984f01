import { type BaseSyntheticEvent, useCallback, useRef, useState } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { errorFacts } from './error-facts';

/** A failure of the whole form, or of fields it does not show. */
export interface FormFailure {
  message: string;
  requestId: string | undefined;
}

/**
 * Shows a failed mutation in its form: errors of fields go to these fields, everything else becomes one message for the form
 * (see FormError). The input stays.
 *
 * @param mapPath turns the server's field path into the form's, if they differ; null for a field the form does not show.
 */
export function useFormErrors<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  mapPath: (path: string) => string | null = (path) => path,
) {
  const [failure, setFailure] = useState<FormFailure | null>(null);
  const { setError, getValues } = form;

  const showError = useCallback(
    (error: unknown) => {
      const facts = errorFacts(error);
      const unplaced: string[] = [];
      let isFirst = true;
      for (const [path, reason] of Object.entries(facts.fields)) {
        const name = mapPath(path);
        if (name === null || !hasField(getValues(), name)) {
          unplaced.push(`${path} ${reason}`);
          continue;
        }
        setError(name as FieldPath<Values>, { type: 'server', message: reason }, { shouldFocus: isFirst });
        isFirst = false;
      }
      const allPlaced = Object.keys(facts.fields).length > 0 && unplaced.length === 0;
      const message = unplaced.length > 0 ? `${unplaced.join('; ')}.` : facts.message;
      setFailure(allPlaced ? null : { message, requestId: facts.requestId });
    },
    [getValues, setError, mapPath],
  );

  const clearFailure = useCallback(() => setFailure(null), []);

  return { failure, showError, showFailure: setFailure, clearFailure };
}

function hasField(values: unknown, name: string): boolean {
  let current = values;
  for (const part of name.split('.')) {
    if (typeof current !== 'object' || current === null || !(part in current)) return false;
    current = (current as Record<string, unknown>)[part];
  }
  return true;
}

/**
 * The submit handler of a form that creates or sends something; ignores submits while one is pending. Validation takes a moment
 * (its schema is loaded), in which a second click of a double-click, or another Enter, must not send it again.
 *
 * @param send resolves once the server has responded
 */
export function useSubmit<Values extends FieldValues>(form: UseFormReturn<Values>, send: (values: Values) => Promise<unknown>) {
  const isBusy = useRef(false);
  return async (event?: BaseSyntheticEvent): Promise<void> => {
    event?.preventDefault();
    if (isBusy.current) return;
    isBusy.current = true;
    try {
      await form.handleSubmit(send)(event);
    } finally {
      isBusy.current = false;
    }
  };
}

/** Submits a form once at a time, and shows why the server refused it. See `useSubmit` and `useFormErrors`. */
export function useFormSubmit<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  send: (values: Values) => Promise<unknown>,
  mapPath?: (path: string) => string | null,
) {
  const { failure, showError, clearFailure } = useFormErrors(form, mapPath);
  const submit = useSubmit(form, async (values) => {
    clearFailure();
    try {
      await send(values);
    } catch (error) {
      showError(error);
    }
  });
  return { failure, submit };
}
