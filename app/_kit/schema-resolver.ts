import type { FieldValues, Resolver } from 'react-hook-form';
import type { z } from 'zod';

/**
 * Checks a form with a procedure's own schema, and hands the values to the submit handler as they were typed: what a schema turns
 * them into is for the call, not for the fields. Schemas weigh as much as a page, so they are fetched when the first check is due;
 * where they cannot be had, the server's own check is what is left.
 *
 * @param load e.g. `() => import('./customer-schema').then((module) => module.customerFieldsSchema)`
 */
export function schemaResolver<Values extends FieldValues>(load: () => Promise<z.ZodType<unknown>>): Resolver<Values> {
  const loadResolver = async (): Promise<Resolver<Values> | null> => {
    try {
      const [schema, { zodResolver }] = await Promise.all([load(), import('@hookform/resolvers/zod')]);
      return zodResolver(schema as z.ZodType<Values, Values>, undefined, { raw: true });
    } catch {
      return null;
    }
  };
  let resolver: Promise<Resolver<Values> | null> | undefined;
  return async (values, context, options) => {
    resolver ??= loadResolver();
    const loaded = await resolver;
    if (loaded) return loaded(values, context, options);
    resolver = undefined;
    return { values, errors: {} };
  };
}

/**
 * When a form says what is wrong: once a field is left, and then with every change. Not at once: leaving a field is often the start
 * of pressing a button, and a message that appears under the pointer would move the button away before it is let go.
 */
export const validationTiming = { mode: 'onTouched', delayError: 400 } as const;
