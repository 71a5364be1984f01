import { zodResolver } from '@hookform/resolvers/zod';
import type { FieldValues, Resolver } from 'react-hook-form';
import type { z } from 'zod';

/**
 * Checks a form with a procedure's own schema, and hands the values to the submit handler as they were typed: what a schema turns
 * them into is for the call, not for the fields.
 */
export function schemaResolver<Values extends FieldValues>(schema: z.ZodType<unknown>): Resolver<Values> {
  return zodResolver(schema as z.ZodType<Values, Values>, undefined, { raw: true });
}

/**
 * When a form says what is wrong: once a field is left, and then with every change. Not at once: leaving a field is often the start
 * of pressing a button, and a message that appears under the pointer would move the button away before it is let go.
 */
export const validationTiming = { mode: 'onTouched', delayError: 400 } as const;
