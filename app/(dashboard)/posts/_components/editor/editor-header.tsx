'use client';

import { ChevronLeft, ExternalLink, PanelRight } from 'lucide-react';
import Link from 'next/link';
import type { RefObject } from 'react';
import { Button } from '@/app/_kit/button';
import { useListHref } from '@/app/_kit/list-memory';
import { PendingButton } from '@/app/_kit/pending-button';
import { StatusBadge } from '@/app/_kit/status-badge';
import type { BlogPostPreview } from '@/server/features/blog/blog-site.schema';
import { statusLabels } from '../post-labels';
import { EditorMenu } from './editor-menu';
import type { PostSession } from './post-session';
import { SaveStatus, TextLength } from './save-status';
import { usePostView } from './use-post-view';
import { usePublish } from './use-publish';

interface EditorHeaderProps {
  session: PostSession;
  preview: BlogPostPreview | null;
  detailsId: string;
  detailsButton: RefObject<HTMLButtonElement | null>;
  areDetailsOpen: boolean;
  onDetails: () => void;
  /** Leads to the field that keeps the post from being saved. */
  onProblem: () => void;
}

/** Where the post stands, and the one thing to do with it. */
export function EditorHeader({
  session,
  preview,
  detailsId,
  detailsButton,
  areDetailsOpen,
  onDetails,
  onProblem,
}: EditorHeaderProps) {
  const listHref = useListHref('/posts');
  const post = usePostView(session, (view) => view.post);
  const isDirty = usePostView(session, (view) => view.isDirty);
  const isSaving = usePostView(session, (view) => view.isSaving);
  const isBlocked = usePostView(session, (view) => view.conflict !== null || view.isGone);
  const { save, publish, isPublishing } = usePublish(session, onProblem);
  const isPublished = post?.status === 'published';
  const { label, tone } = statusLabels[post?.status ?? 'draft'];

  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-border px-4 py-2 sm:px-6 lg:h-14 lg:flex-nowrap lg:pl-4">
      <Link
        href={listHref}
        className="-ml-1 inline-flex min-h-8 items-center gap-0.5 pr-1 text-label text-muted hover:text-foreground"
      >
        <ChevronLeft aria-hidden className="size-4" />
        Blog
      </Link>
      <StatusBadge tone={tone}>{label}</StatusBadge>
      <div className="flex min-w-0 flex-1 items-center gap-4 max-lg:order-last max-lg:min-h-6 max-lg:basis-full max-lg:justify-between">
        <SaveStatus session={session} />
        <TextLength preview={preview} />
      </div>
      <div className="ml-auto flex shrink-0 items-center gap-1.5">
        {post?.url && (
          <a
            href={post.url}
            target="_blank"
            rel="noopener"
            aria-label="View on the blog (opens in a new tab)"
            title="View on the blog"
            className="flex size-9 items-center justify-center rounded-md text-muted hover:bg-default hover:text-foreground max-sm:hidden"
          >
            <ExternalLink aria-hidden className="size-4" />
          </a>
        )}
        <Button
          ref={detailsButton}
          variant="ghost"
          aria-label="Details"
          aria-expanded={areDetailsOpen}
          {...(areDetailsOpen ? { 'aria-controls': detailsId } : {})}
          className={`max-sm:min-w-10 max-sm:px-0 ${areDetailsOpen ? 'bg-default' : ''}`}
          onPress={onDetails}
        >
          <PanelRight aria-hidden />
          <span className="max-sm:hidden">Details</span>
        </Button>
        {post && <EditorMenu session={session} post={post} />}
        {isPublished ? (
          <PendingButton variant="primary" isPending={isSaving} isDisabled={!isDirty || isBlocked} onPress={() => void save()}>
            Update
          </PendingButton>
        ) : (
          <PendingButton variant="primary" isPending={isPublishing} isDisabled={isBlocked} onPress={() => void publish()}>
            {post?.status === 'archived' && post.publishedAt !== null ? 'Publish again' : 'Publish'}
          </PendingButton>
        )}
      </div>
    </header>
  );
}
