'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Image as ImageIcon, Newspaper, Plus, SearchX } from 'lucide-react';
import { Button } from '@/app/_kit/button';
import { ButtonLink } from '@/app/_kit/button-link';
import { type DataColumn, DataTable } from '@/app/_kit/data-table';
import { EmptyState } from '@/app/_kit/empty-state';
import { ListPage, useListSearch } from '@/app/_kit/list-page';
import { LocalNumber } from '@/app/_kit/local-number';
import { RelativeTime } from '@/app/_kit/relative-time';
import { RemoteImage } from '@/app/_kit/remote-image';
import { Segments } from '@/app/_kit/segments';
import { StatusBadge } from '@/app/_kit/status-badge';
import { TagChips } from '@/app/_kit/tag-chips';
import { TextFilter } from '@/app/_kit/text-filter';
import { useTRPC } from '@/app/_trpc/client';
import type { BlogPostItem } from '@/server/features/blog/blog-post.schema';
import { postSearch } from '../search-params';
import { dateOf, noneOfStatus, pictureSources, statusChoices, statusLabels } from './post-labels';
import { PostMenu } from './post-menu';
import { useBlogOverview } from './use-blog-overview';

const noTags: string[] = [];

export function PostList() {
  const trpc = useTRPC();
  const { search, setSearch } = useListSearch(postSearch);
  const overview = useBlogOverview();
  const result = useQuery(
    trpc.blog.list.queryOptions(postSearch.input(search), {
      placeholderData: keepPreviousData,
      select: ({ data: { posts, ...page } }) => ({ ...page, rows: posts }),
    }),
  );
  return (
    <ListPage
      path="/posts"
      label="Posts"
      one="post"
      many="posts"
      order="newest first"
      definition={postSearch}
      result={result}
      searchHint="Search titles"
      filters={
        <>
          <Segments
            label="Status"
            segments={statusChoices(overview?.counts).map(({ count, ...choice }) => ({
              ...choice,
              count: count === null ? null : <LocalNumber value={count} />,
            }))}
            value={search.status}
            onChange={(status) => setSearch({ status })}
          />
          <TextFilter
            label="Tag"
            prompt="Filter by tag"
            value={search.tag}
            suggestions={overview?.tags ?? noTags}
            onChange={(tag) => setSearch({ tag })}
          />
        </>
      }
      none={
        <EmptyState
          icon={Newspaper}
          title="No posts yet"
          description="Share news and answers on a public blog. Search engines find it, and readers can subscribe."
          action={
            <ButtonLink href="/posts/new" needs="blog:draft">
              <Plus aria-hidden />
              Write your first post
            </ButtonLink>
          }
        />
      }
      noMatch={
        search.status !== null && !search.q && !search.tag ? (
          <EmptyState
            icon={Newspaper}
            {...noneOfStatus[search.status]}
            action={
              <Button variant="secondary" onPress={() => setSearch({ status: null })}>
                Show all posts
              </Button>
            }
          />
        ) : (
          <EmptyState
            icon={SearchX}
            title="No posts found"
            description="Search covers titles. Try fewer filters."
            action={
              <Button variant="secondary" onPress={() => setSearch(null)}>
                Clear search and filters
              </Button>
            }
          />
        )
      }
    >
      {(posts, isStale) => (
        <DataTable label="Posts" columns={columns} rows={posts} rowHref={({ id }) => `/posts/${id}`} isStale={isStale} />
      )}
    </ListPage>
  );
}

const columns: readonly DataColumn<BlogPostItem>[] = [
  {
    header: 'Title',
    phone: 'title',
    // On a phone the title takes both columns of its line, and both lines leave room for the picture.
    className: 'max-md:col-span-2 max-md:pl-14!',
    cell: (post) => <Title post={post} />,
  },
  {
    header: 'Status',
    phone: 'line',
    className: 'md:w-26 max-md:pl-14!',
    cell: ({ status }) => <StatusBadge tone={statusLabels[status].tone}>{statusLabels[status].label}</StatusBadge>,
  },
  {
    header: 'Author',
    phone: 'hidden',
    className: 'w-[14%] max-xl:hidden',
    cell: ({ authorName }) => (
      <span className="text-muted" title={authorName}>
        {authorName}
      </span>
    ),
  },
  { header: 'Tags', phone: 'hidden', className: 'w-[18%] max-lg:hidden', cell: ({ tags }) => <Tags tags={tags} /> },
  { header: 'Date', phone: 'line-end', className: 'md:w-38', cell: (post) => <PostDate post={post} /> },
  {
    header: 'Actions',
    hidesHeader: true,
    phone: 'aside',
    // A third column on a phone, beside both lines.
    className: 'md:w-12 md:px-2! max-md:col-start-3! max-md:row-[1/3]! max-md:-mr-2',
    cell: (post) => <PostMenu post={post} name={`Actions for ${post.title}`} isInRow />,
  },
];

/** The excerpt is hidden from screen readers: the accessible name of the link is the title alone. */
function Title({ post: { title, excerpt, coverImageUrl } }: { post: BlogPostItem }) {
  return (
    // Two lines within the height of one row: the link's padding makes room for them.
    <span className="flex items-center gap-3 md:-my-2">
      <Thumbnail url={coverImageUrl} />
      <span className="min-w-0 flex-1">
        <span className="block truncate" title={title}>
          {title}
        </span>
        {excerpt.trim() !== '' && (
          <span aria-hidden title={excerpt} className="block truncate text-xs font-normal text-muted max-md:hidden">
            {excerpt}
          </span>
        )}
      </span>
    </span>
  );
}

/** A post's cover, or a placeholder if it has none or none can be loaded. */
function Thumbnail({ url }: { url: string }) {
  return (
    // On a phone it is beside both lines of the row.
    <span
      aria-hidden
      className="flex h-8 w-11 shrink-0 items-center justify-center overflow-hidden rounded-sm border border-border bg-background-secondary text-muted max-md:absolute max-md:top-1/2 max-md:left-4 max-md:h-11 max-md:-translate-y-1/2"
    >
      <RemoteImage
        sources={pictureSources(url)}
        width={44}
        height={44}
        className="size-full object-cover"
        fallback={<ImageIcon className="size-4 opacity-60" strokeWidth={1.5} />}
      />
    </span>
  );
}

/** A click on a tag filters the list by it. */
function Tags({ tags }: { tags: readonly string[] }) {
  const { setSearch } = useListSearch(postSearch);
  return <TagChips tags={tags} what="posts" onTag={(tag) => setSearch({ tag })} />;
}

/** On a phone, the badge beside it replaces the word before the date. */
function PostDate({ post }: { post: BlogPostItem }) {
  const { word, at } = dateOf(post);
  return (
    <span className="text-muted">
      <span className="max-md:sr-only">{word} </span>
      <RelativeTime value={at} />
    </span>
  );
}
