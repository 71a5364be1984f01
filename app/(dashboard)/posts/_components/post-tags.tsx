'use client';

import { useQueryStates } from 'nuqs';
import { TagChips } from '@/app/_kit/tag-chips';
import { postSearchParams } from '../search-params';

/** The tags of a post in the list; pressing one shows all posts that have it. */
export function PostTags({ tags }: { tags: readonly string[] }) {
  const [, setSearch] = useQueryStates(postSearchParams, { history: 'push' });
  return <TagChips tags={tags} what="posts" onTag={(tag) => void setSearch({ tag, page: null })} />;
}
