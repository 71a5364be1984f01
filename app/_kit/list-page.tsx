import { SearchX } from 'lucide-react';
import { type Options, type ParserMap, useQueryStates } from 'nuqs';
import { type ReactNode, useCallback, useEffect, useMemo } from 'react';
import { Button } from './button';
import { EmptyState } from './empty-state';
import { ListBody } from './list-body';
import { rememberList } from './list-memory';
import type { ListSearch } from './list-search';
import { LocalNumber } from './local-number';
import { Pagination } from './pagination';
import { SearchField } from './search-field';
import { Surface } from './surface';
import { useFocusAfterRemoval } from './use-kept-focus';

/** Changes the search in the address; null removes everything. */
type SetSearch = (change: Record<string, unknown> | null, options?: Options) => void;

/** The search of the list in the address. Each change adds a history entry, unless `options` say otherwise. */
export function useListSearch<Params extends ParserMap>({ params }: Pick<ListSearch<Params>, 'params'>) {
  const [search, set] = useQueryStates(params, { history: 'push' });
  const setSearch: SetSearch = (change, options) => void set(change && ({ page: null, ...change } as never), options);
  return { search, setSearch };
}

/** One page of a list. */
export interface ListPageData<Row> {
  rows: readonly Row[];
  total: number;
  totalIsExact: boolean;
  hasMore: boolean;
}

interface ListPageProps<Row, Params extends ParserMap> {
  /** The list's address: `/customers`. */
  path: string;
  /** The section's accessible name. */
  label: string;
  /** Singular and plural of the rows, in lower case. */
  one: string;
  many: string;
  /** The order of the rows: "newest first". */
  order: string;
  definition: ListSearch<Params>;
  result: {
    data: ListPageData<Row> | undefined;
    error: unknown;
    isFetching: boolean;
    isPlaceholderData: boolean;
    refetch: () => unknown;
  };
  /** The fields that the text search covers. */
  searchHint: string;
  searchMaximum?: number;
  /** The filters besides the text. */
  filters: ReactNode;
  /** Shown instead of the list if there is nothing to list yet. */
  none: ReactNode;
  /** Shown if nothing matches. */
  noMatch: ReactNode;
  /** Cards instead of rows have their own skeleton, and no surface around them. */
  cardSkeleton?: ReactNode;
  /** The rows; `isStale` while they belong to the previous search. */
  children: (rows: readonly Row[], isStale: boolean) => ReactNode;
}

/** A searchable, filtered and paged list. All of its state is in the address. Rows stay while the next page is loading. */
export function ListPage<Row extends { id: string }, Params extends ParserMap>(props: ListPageProps<Row, Params>) {
  const { path, label, one, many, order, definition, result, cardSkeleton } = props;
  const { data, error, isFetching, isPlaceholderData } = result;
  const { search, setSearch } = useListSearch(definition);
  const [{ q, page }, setText] = useQueryStates(definition.params as ParserMap) as unknown as [
    { q: string; page: number },
    SetSearch,
  ];
  // Typing replaces the history entry, so that "back" does not step through every letter.
  const setQuery = useCallback((text: string) => setText({ q: text || null, page: null }), [setText]);
  const activeFilters = definition.countFilters(search);
  const query = definition.query(search as never);
  const ids = useMemo(() => data?.rows.map(({ id }) => id) ?? [], [data]);
  const focus = useFocusAfterRemoval<HTMLElement>({ ids, query });
  useEffect(() => rememberList(path, query), [path, query]);

  if (data?.total === 0 && activeFilters === 0 && !isPlaceholderData) return <Surface>{props.none}</Surface>;

  const failure = isFetching ? null : error;
  const noSuchPage = (
    <EmptyState
      icon={SearchX}
      title="This page doesn’t exist"
      description="The list is shorter now, or the link is wrong."
      action={
        <Button variant="secondary" onPress={() => setSearch({})}>
          Go to first page
        </Button>
      }
    />
  );
  const body = (
    <ListBody
      what={many}
      error={failure}
      onRetry={() => void result.refetch()}
      isLoaded={data !== undefined}
      isEmpty={data?.rows.length === 0}
      empty={data && data.total > 0 ? noSuchPage : props.noMatch}
      lines={12}
    >
      {data && props.children(data.rows, isPlaceholderData)}
    </ListBody>
  );
  const hasCards = !failure && data && data.rows.length > 0;
  return (
    <section {...focus} tabIndex={-1} aria-label={label} className="scroll-mt-20 outline-none">
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <SearchField
          label={`Search ${many}`}
          hint={props.searchHint}
          value={q}
          onSearch={setQuery}
          {...(props.searchMaximum && { maxLength: props.searchMaximum })}
        />
        {props.filters}
        {activeFilters > 1 && (
          <Button variant="ghost" onPress={() => setSearch(null)}>
            Clear all
          </Button>
        )}
        {data && (
          <p role="status" className="ml-auto text-label whitespace-nowrap text-muted">
            <LocalNumber value={data.total} />
            {data.totalIsExact ? '' : '+'} {data.total === 1 && data.totalIsExact ? one : many}
            {data.total > 1 && `, ${order}`}
          </p>
        )}
      </div>
      {cardSkeleton === undefined ? (
        <Surface isList>{body}</Surface>
      ) : hasCards ? (
        body
      ) : failure || data ? (
        <Surface>{body}</Surface>
      ) : (
        cardSkeleton
      )}
      {data && !error && (
        <div className="mt-4 flex justify-center max-md:mb-16">
          <Pagination
            label={many}
            page={definition.pageOf({ page })}
            pageSize={definition.pageSize}
            total={data.total}
            totalIsExact={data.totalIsExact}
            hasMore={data.hasMore}
            hrefFor={(target) => `${path}${definition.query({ ...search, page: target } as never)}`}
            onPageChange={(target) => {
              setSearch({ page: target }, { scroll: false });
              focus.ref.current?.scrollIntoView({ block: 'nearest' });
            }}
          />
        </div>
      )}
    </section>
  );
}
