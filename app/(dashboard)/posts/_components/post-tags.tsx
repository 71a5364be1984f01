'use client';

import { useQueryStates } from 'nuqs';
import { postSearchParams } from '../search-params';

/** How many tags a row shows; the rest is a number. */
const shownTags = 2;

/** The tags of a post in the list; pressing one shows all posts that have it. */
export function PostTags({ tags }: { tags: readonly string[] }) {
  const [, setSearch] = useQueryStates(postSearchParams, { history: 'push' });
  const hidden = tags.slice(shownTags);
  if (tags.length === 0) return null;
  return (
    <span className="flex min-w-0 items-center gap-1">
      {tags.slice(0, shownTags).map((tag) => (
        <button
          key={tag}
          type="button"
          title={tag}
          aria-label={`Show posts tagged ${tag}`}
          onClick={() => void setSearch({ tag, page: null })}
          className="relative h-6 min-w-6 max-w-28 shrink truncate rounded-md bg-default px-1.5 text-xs text-foreground hover:bg-accent-soft hover:text-accent-text"
        >
          {tag}
        </button>
      ))}
      {hidden.length > 0 && (
        <span className="shrink-0 text-xs text-muted" title={hidden.join(', ')}>
          +{hidden.length}
          <span className="sr-only"> more tags</span>
        </span>
      )}
    </span>
  );
}
