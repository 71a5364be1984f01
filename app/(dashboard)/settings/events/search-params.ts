import { createLoader, parseAsString } from 'nuqs/server';

/** Search parameters of the event browser. */
export const eventSearchParams = {
  /** A type, or a pattern such as `customer.*`. */
  type: parseAsString.withDefault(''),
};

export const loadEventSearch = createLoader(eventSearchParams);

const pattern = /^[a-z_]+(?:\.[a-z_]+)*(?:\.\*)?$/;

/** The pattern in the address; '' for none, and for what is no pattern. */
export function patternOf({ type }: { type: string }): string {
  return type.length <= 100 && pattern.test(type) ? type : '';
}

/** The request for the first page of a search. */
export function historyInput(search: { type: string }): { types?: string } {
  const types = patternOf(search);
  return types === '' ? {} : { types };
}
