'use client';

import { useEffect } from 'react';
import { type FieldPath, type UseFormReturn, useForm } from 'react-hook-form';
import type { PostSession } from './post-session';
import { type DetailsValues, fromDetails, toDetails } from './post-values';

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** The drawer's fields, kept in step with the session: what is typed goes there, what the server made of it and its reasons come back. */
export function useDetailsForm(session: PostSession): UseFormReturn<DetailsValues> {
  const form = useForm<DetailsValues>({ defaultValues: toDetails(session.view().values) });

  useEffect(() => {
    const follow = () => {
      const { values, fieldErrors } = session.view();
      const current = form.getValues();
      for (const [field, value] of Object.entries(toDetails(values))) {
        if (!isSame(value, current[field as keyof DetailsValues])) form.setValue(field as keyof DetailsValues, value);
      }
      const { errors } = form.formState;
      for (const name of Object.keys(errors)) {
        const isThere = Object.keys(fieldErrors).some((path) => path === name || path.startsWith(`${name}.`));
        if (!isThere) form.clearErrors(name as FieldPath<DetailsValues>);
      }
      for (const [path, message] of Object.entries(fieldErrors)) {
        if (path in current || path.startsWith('tags.'))
          form.setError(path as FieldPath<DetailsValues>, { type: 'server', message });
      }
    };
    const { unsubscribe } = form.watch((_, { name }) => {
      // Without a name, or by `follow`, it was not typed; the session has that already.
      if (name !== undefined) session.change(fromDetails(form.getValues()));
    });
    // Registers what `follow` reads.
    void form.formState.errors;
    follow();
    const stop = session.subscribe(follow);
    return () => {
      stop();
      unsubscribe();
    };
  }, [session, form]);

  return form;
}
