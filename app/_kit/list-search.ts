import { createLoader, createSerializer, type inferParserType, type ParserMap, parseAsInteger, parseAsString } from 'nuqs/server';
import { deepestPage } from './page-items';

const textAndPage = { q: parseAsString.withDefault(''), page: parseAsInteger.withDefault(1) };

interface ListSearchOptions<Filters extends ParserMap, Input> {
  pageSize: number;
  /** The filters of the list besides text and page. */
  filters: Filters;
  /** The filters as the input of the list call. */
  input: (search: inferParserType<typeof textAndPage & Filters>) => Input;
}

/** The search of a paged list: its search parameters, and the list request they stand for. Used by server and browser. */
export function listSearch<Filters extends ParserMap, Input extends object>(options: ListSearchOptions<Filters, Input>) {
  type Params = typeof textAndPage & Filters;
  type Search = inferParserType<Params>;
  const { pageSize } = options;
  const params = { ...textAndPage, ...options.filters } as Params;
  /** The page in the address, limited to possible pages. */
  const pageOf = ({ page }: { page: number }) => Math.min(Math.max(1, page), deepestPage(pageSize));
  return {
    params,
    pageSize,
    pageOf,
    load: createLoader(params),
    /** The query string; defaults are left out. */
    query: createSerializer(params),
    /** The number of text and filters in use. */
    countFilters: (search: Record<string, unknown>) =>
      Object.entries(search).filter(([name, value]) => name !== 'page' && Boolean(value)).length,
    input: (search: Search) => ({
      limit: pageSize,
      offset: (pageOf(search as { page: number }) - 1) * pageSize,
      ...options.input(search),
    }),
  };
}

export type ListSearch<Params extends ParserMap> = Pick<ReturnType<typeof listSearch>, 'pageSize' | 'pageOf' | 'countFilters'> & {
  params: Params;
  query: (search: Partial<inferParserType<Params>>) => string;
};
