import { parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { keysOf } from '@/app/_kit/keys-of';
import { listSearch } from '@/app/_kit/list-search';
import { statusLabels } from './_components/post-labels';

/** The longest search and tag that the API accepts. */
const textMaximum = 500;

/** Search parameters of the list of posts. */
export const postSearch = listSearch({
  pageSize: 25,
  filters: { status: parseAsStringLiteral(keysOf(statusLabels)), tag: parseAsString.withDefault('') },
  input: ({ q, status, tag }) => ({
    ...(status && { status }),
    ...(tag && { tag: tag.slice(0, textMaximum) }),
    ...(q && { search: q.slice(0, textMaximum) }),
  }),
});
