import type { FieldValues, Resolver } from 'react-hook-form';
import type { z } from 'zod';

/**
 * Validates a form with a procedure's own schema, and passes the values to the submit handler as typed: the transformed values
 * are for the call, not for the fields. Schemas are as large as a page, so they are loaded for the first validation; if that
 * fails, only the server validates.
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
 * When a form shows errors: after a field is left, and then with every change. Delayed, because leaving a field is often the
 * start of pressing a button, and a message that appears under the pointer would move the button away before it is released.
 */
export const validationTiming = { mode: 'onTouched', delayError: 400 } as const;
