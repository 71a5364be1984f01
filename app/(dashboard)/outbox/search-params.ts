import { createLoader, type inferParserType, parseAsStringLiteral } from 'nuqs/server';
import { keysOf } from '@/app/_kit/keys-of';
import { stateLabels } from './_components/outbox-labels';

/** What the address of the outbox says. */
export const outboxSearchParams = { state: parseAsStringLiteral(keysOf(stateLabels)) };

export type OutboxSearch = inferParserType<typeof outboxSearchParams>;

export const loadOutboxSearch = createLoader(outboxSearchParams);

/** The call behind an address, for its first page. Server and browser both use it, so that the browser finds what was prefetched. */
export function outboxInput({ state }: OutboxSearch) {
  return state ? { state } : {};
}
