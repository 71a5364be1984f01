import { type FieldErrors, get } from 'react-hook-form';
import type { EventValues } from './event-values';

/** The first error at any of these paths of the form, such as `invitees.3.email`. */
export function errorAt(errors: FieldErrors<EventValues>, ...paths: string[]): string | undefined {
  for (const path of paths) {
    const { message } = (get(errors, path) ?? {}) as { message?: unknown };
    if (typeof message === 'string' && message !== '') return message;
  }
  return undefined;
}
