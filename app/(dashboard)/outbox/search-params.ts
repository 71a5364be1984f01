import { createLoader, createSerializer, type inferParserType, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { keysOf } from '@/app/_kit/keys-of';
import { isUuid } from '@/app/_kit/uuid';
import { stateLabels } from './_components/outbox-labels';

/** Search parameters of the outbox. */
export const outboxSearchParams = {
  state: parseAsStringLiteral(keysOf(stateLabels)),
  /** The email that is open. */
  mail: parseAsString,
};

export type OutboxSearch = inferParserType<typeof outboxSearchParams>;

export const loadOutboxSearch = createLoader(outboxSearchParams);

/** The query string of a search. */
export const outboxSearchQuery = createSerializer(outboxSearchParams);

/** The request for the first page. Used by server and browser, so that the browser finds the prefetched query. */
export function outboxInput({ state }: Pick<OutboxSearch, 'state'>) {
  return state ? { state } : {};
}

/** The id of the open email; null if none is. */
export const openMail = ({ mail }: Pick<OutboxSearch, 'mail'>): string | null => (mail && isUuid(mail) ? mail : null);
