import { createLoader, type inferParserType, parseAsStringLiteral } from 'nuqs/server';
import { keysOf } from '@/app/_kit/keys-of';
import { stateLabels } from './_components/outbox-labels';

/** Search parameters of the outbox. */
export const outboxSearchParams = { state: parseAsStringLiteral(keysOf(stateLabels)) };

export type OutboxSearch = inferParserType<typeof outboxSearchParams>;

export const loadOutboxSearch = createLoader(outboxSearchParams);

/** The request for the first page. Used by server and browser, so that the browser finds the prefetched query. */
export function outboxInput({ state }: OutboxSearch) {
  return state ? { state } : {};
}
