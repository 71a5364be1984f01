'use client';

import { type BaseSyntheticEvent, useRef } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';

/**
 * The submit handler of a form that creates or sends something: once at a time. Checking a form takes a moment (its schema is fetched),
 * in which a second click of a double-click, or another Enter, must not send it again.
 *
 * @param send resolves once the server has answered
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
