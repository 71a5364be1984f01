import { parseAsStringLiteral } from 'nuqs/server';
import { keysOf } from '@/app/_kit/keys-of';
import { listSearch } from '@/app/_kit/list-search';
import { statusLabels } from './_components/agent-labels';

/** The longest search that the API takes. */
export const searchMaximum = 200;

/** Search parameters of the agents' list. */
export const agentSearch = listSearch({
  pageSize: 24,
  filters: { status: parseAsStringLiteral(keysOf(statusLabels)) },
  input: ({ q, status }) => ({ ...(q && { query: q.slice(0, searchMaximum) }), ...(status && { status }) }),
});
