'use client';

import { Newspaper, Plus, SearchX } from 'lucide-react';
import { useQueryStates } from 'nuqs';
import { Button } from '@/app/_kit/button';
import { ButtonLink } from '@/app/_kit/button-link';
import { EmptyState } from '@/app/_kit/empty-state';
import { NoSuchPage } from '@/app/_kit/no-such-page';
import { Surface } from '@/app/_kit/surface';
import { postSearchParams } from '../search-params';
import { noneOfStatus } from './post-words';

interface EmptyPostListProps {
  kind: 'none' | 'nothing-found' | 'no-such-page';
}

/** Stands where no post is to be shown, and says why and what to do about it. */
export function EmptyPostList({ kind }: EmptyPostListProps) {
  const [{ q, status, tag }, setSearch] = useQueryStates(postSearchParams, { history: 'push' });
  if (kind === 'none') {
    return (
      <Surface>
        <EmptyState
          icon={Newspaper}
          title="No posts yet"
          description="A public blog in the name of your business: what customers ask, what you know, what is new. Search engines find it, and readers can follow it."
          action={
            <ButtonLink href="/posts/new">
              <Plus aria-hidden />
              Write the first post
            </ButtonLink>
          }
          apiHint="POST /blog/posts"
        />
      </Surface>
    );
  }
  if (kind === 'no-such-page') return <NoSuchPage onShowFirst={() => void setSearch({ page: null })} />;
  if (status !== null && !q && !tag) {
    return (
      <EmptyState
        icon={Newspaper}
        {...noneOfStatus[status]}
        action={
          <Button variant="secondary" onPress={() => void setSearch({ status: null, page: null })}>
            Show all posts
          </Button>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={SearchX}
      title="No post matches"
      description="The search looks at titles, the filters for this status and exactly this tag."
      action={
        <Button variant="secondary" onPress={() => void setSearch(null)}>
          Clear search and filters
        </Button>
      }
    />
  );
}
