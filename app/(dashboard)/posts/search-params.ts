import {
  createLoader,
  createSerializer,
  type inferParserType,
  parseAsInteger,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server';
import { keysOf } from '@/app/_kit/keys-of';
import { statusWords } from './_components/post-words';

/** What the address of the list of posts says. */
export const postSearchParams = {
  q: parseAsString.withDefault(''),
  status: parseAsStringLiteral(keysOf(statusWords)),
  tag: parseAsString.withDefault(''),
  page: parseAsInteger.withDefault(1),
};

export type PostSearch = inferParserType<typeof postSearchParams>;

export const loadPostSearch = createLoader(postSearchParams);

/** The address's query for a search; defaults are left out. */
export const postSearchQuery = createSerializer(postSearchParams);

export const postsPerPage = 25;

/** The longest search and tag the API takes. */
const textMaximum = 500;

/** The largest page whose offset the API still takes. */
const lastPage = Math.floor(2_147_483_647 / postsPerPage);

/** The page asked for, brought into the range of pages that can exist. */
export function pageOf({ page }: Pick<PostSearch, 'page'>): number {
  return Math.min(Math.max(1, page), lastPage);
}

/** The list call behind an address. Server and browser both use it, so that the browser finds what the server prefetched. */
export function listInput(search: PostSearch) {
  const { q, status, tag } = search;
  return {
    limit: postsPerPage,
    offset: (pageOf(search) - 1) * postsPerPage,
    ...(status ? { status } : {}),
    ...(tag ? { tag: tag.slice(0, textMaximum) } : {}),
    ...(q ? { search: q.slice(0, textMaximum) } : {}),
  };
}
