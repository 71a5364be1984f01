import { columnHelper, type DataColumn } from '@/app/_kit/data-table';
import { RelativeTime } from '@/app/_kit/relative-time';
import { StatusBadge } from '@/app/_kit/status-badge';
import type { BlogPostItem } from '@/server/features/blog/blog-post.schema';
import { PostMenu } from './post-menu';
import { PostTags } from './post-tags';
import { PostThumbnail } from './post-thumbnail';
import { dateOf, statusWords } from './post-words';

const helper = columnHelper<BlogPostItem>();

/** The columns of the list of posts: what it is, its state, who wrote it, what about, since when, and what can be done with it. */
export const postColumns: readonly DataColumn<BlogPostItem>[] = helper.columns([
  helper.display({
    id: 'title',
    header: 'Title',
    // On a phone the title takes both columns of its line, and both lines leave room for the picture.
    meta: { phone: 'title', className: 'max-md:col-span-2 max-md:pl-14!' },
    cell: ({ row }) => <Title post={row.original} />,
  }),
  helper.display({
    id: 'status',
    header: 'Status',
    meta: { phone: 'line', className: 'md:w-26 max-md:pl-14!' },
    cell: ({ row }) => {
      const { label, tone } = statusWords[row.original.status];
      return <StatusBadge tone={tone}>{label}</StatusBadge>;
    },
  }),
  helper.display({
    id: 'author',
    header: 'Author',
    meta: { phone: 'hidden', className: 'w-[14%] max-xl:hidden' },
    cell: ({ row }) => (
      <span className="text-muted" title={row.original.authorName}>
        {row.original.authorName}
      </span>
    ),
  }),
  helper.display({
    id: 'tags',
    header: 'Tags',
    meta: { phone: 'hidden', className: 'w-[18%] max-lg:hidden' },
    cell: ({ row }) => <PostTags tags={row.original.tags} />,
  }),
  helper.display({
    id: 'date',
    header: 'Date',
    meta: { phone: 'line-end', className: 'md:w-38' },
    cell: ({ row }) => <PostDate post={row.original} />,
  }),
  helper.display({
    id: 'actions',
    header: () => <span className="sr-only">Actions</span>,
    // A third column on a phone, beside both lines.
    meta: { phone: 'aside', className: 'md:w-12 md:px-2! max-md:col-start-3! max-md:row-[1/3]! max-md:-mr-2' },
    cell: ({ row }) => <PostMenu post={row.original} name={`Actions for ${row.original.title}`} isInRow />,
  }),
]);

/** The excerpt is for the eye: the name of the link is the title alone. */
function Title({ post: { title, excerpt, coverImageUrl } }: { post: BlogPostItem }) {
  return (
    // Two lines within the height of one row: the link's own padding makes room for them.
    <span className="flex items-center gap-3 md:-my-2">
      <PostThumbnail url={coverImageUrl} />
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

/** On a phone the badge beside it says as much as the word before the date. */
function PostDate({ post }: { post: BlogPostItem }) {
  const { word, at } = dateOf(post);
  return (
    <span className="text-muted">
      <span className="max-md:sr-only">{word} </span>
      <RelativeTime value={at} />
    </span>
  );
}
