import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server';
import { keysOf } from '@/app/_kit/keys-of';
import { statusWords } from './_components/agent-words';

/** What the address of the gallery says. */
export const agentSearchParams = {
  q: parseAsString.withDefault(''),
  status: parseAsStringLiteral(keysOf(statusWords)),
  page: parseAsInteger.withDefault(1),
};

type AgentSearch = inferParserType<typeof agentSearchParams>;

export const loadAgentSearch = createLoader(agentSearchParams);

/** The address's query for a search; defaults are left out. */
export const agentSearchQuery = createSerializer(agentSearchParams);

export const agentsPerPage = 24;

/** The longest search the API takes. */
export const searchMaximum = 200;

/** The largest page whose offset the API still takes. */
const lastPage = Math.floor(2_147_483_647 / agentsPerPage);

/** The page asked for, brought into the range of pages that can exist. */
export function pageOf({ page }: Pick<AgentSearch, 'page'>): number {
  return Math.min(Math.max(1, page), lastPage);
}

/** The list call behind an address. Server and browser both use it, so that the browser finds what the server prefetched. */
export function listInput(search: AgentSearch) {
  const { q, status } = search;
  return {
    limit: agentsPerPage,
    offset: (pageOf(search) - 1) * agentsPerPage,
    ...(q ? { query: q.slice(0, searchMaximum) } : {}),
    ...(status ? { status } : {}),
  };
}
