'use client';

import { useQueryStates } from 'nuqs';
import { TagChips } from '@/app/_kit/tag-chips';
import { customerSearchParams } from '../search-params';

/** The tags of a customer in the list; pressing one shows all customers that have it. */
export function CustomerTags({ tags }: { tags: readonly string[] }) {
  const [, setSearch] = useQueryStates(customerSearchParams, { history: 'push' });
  return <TagChips tags={tags} what="customers" isTight onTag={(tag) => void setSearch({ tag, page: null })} />;
}
