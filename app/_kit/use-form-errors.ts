'use client';

import { useCallback, useState } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { errorFacts } from './error-facts';

/** A failure of the whole form, or of fields it does not show. */
export interface FormFailure {
  message: string;
  requestId: string | undefined;
}

/**
 * Brings a failed mutation back into its form: reasons of fields go to these fields, everything else becomes one message for
 * the form (see FormError). Nothing typed is lost.
 *
 * @param mapPath turns the server's field path into the form's, where they differ; null for a field the form does not show.
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

  return { failure, showError, clearFailure };
}

function hasField(values: unknown, name: string): boolean {
  let current = values;
  for (const part of name.split('.')) {
    if (typeof current !== 'object' || current === null || !(part in current)) return false;
    current = (current as Record<string, unknown>)[part];
  }
  return true;
}
