import { useMutation } from '@tanstack/react-query';
import { Check, ChevronLeft, CircleAlert, ExternalLink, LoaderCircle, PanelRight } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { type RefObject, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { useListHref } from '@/app/_kit/list-memory';
import { PendingButton } from '@/app/_kit/pending-button';
import { StatusBadge } from '@/app/_kit/status-badge';
import { toast } from '@/app/_kit/toast';
import { undoToast } from '@/app/_kit/undo-toast';
import { useIsOnline } from '@/app/_kit/use-is-online';
import { useDateLocale, useViewerLocale } from '@/app/_kit/viewer-format';
import { useTRPC } from '@/app/_trpc/client';
import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import type { BlogPostPreview } from '@/server/features/blog/blog-site.schema';
import { statusLabels } from '../post-labels';
import { PostMenu } from '../post-menu';
import { movesOf } from '../post-moves';
import type { PostSession } from './post-session';
import { describeSave } from './save-labels';
import { useEditPermission } from './use-edit-permission';
import { usePostView } from './use-post-session';

interface EditorHeaderProps {
  session: PostSession;
  preview: BlogPostPreview | null;
  detailsId: string;
  detailsButton: RefObject<HTMLButtonElement | null>;
  areDetailsOpen: boolean;
  onDetails: () => void;
  /** Focuses the field that prevents saving. */
  onProblem: () => void;
}

/** The post's status, and its main action. */
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
            aria-label="View on blog (opens in a new tab)"
            title="View on blog"
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
          <PendingButton
            variant="primary"
            needs="blog:write"
            isPending={isSaving}
            isDisabled={!isDirty || isBlocked}
            onPress={() => void save()}
          >
            Update
          </PendingButton>
        ) : (
          <PendingButton
            variant="primary"
            needs="blog:write"
            isPending={isPublishing}
            isDisabled={isBlocked}
            onPress={() => void publish()}
          >
            {post?.status === 'archived' && post.publishedAt !== null ? 'Publish again' : 'Publish'}
          </PendingButton>
        )}
      </div>
    </header>
  );
}

/** The post's menu in the editor. Publishing is the page's own button. */
function EditorMenu({ session, post }: { session: PostSession; post: BlogPostRecord }) {
  const router = useRouter();
  const listHref = useListHref('/posts');
  const isDirty = usePostView(session, (view) => view.isDirty);
  const discard = () => {
    const mine = session.revert();
    undoToast({ message: 'Changes discarded', onUndo: () => session.replace(mine) });
  };
  return (
    <PostMenu
      post={{ ...post, editedAt: post.updatedAt }}
      name="More actions"
      moves={movesOf(post).filter((step) => step !== 'publish')}
      needsToDelete={useEditPermission(session)}
      extra={isDirty && post.status === 'published' ? { label: 'Discard changes', onAction: discard } : null}
      onDeleted={() => {
        session.end();
        router.push(listHref);
      }}
    />
  );
}

/** A time for today, a date for any other day. */
function momentIn(locale: string): (moment: Date) => string {
  return (moment) =>
    moment.toDateString() === new Date().toDateString()
      ? moment.toLocaleTimeString(locale, { timeStyle: 'short' })
      : moment.toLocaleDateString(locale, { day: 'numeric', month: 'short', year: 'numeric' });
}

/** Whether changes are saved on the server, in this browser, or published. Only problems are announced to screen readers. */
function SaveStatus({ session }: { session: PostSession }) {
  const view = usePostView(session, (current) => current);
  const isOnline = useIsOnline();
  const time = momentIn(useDateLocale());
  const { text, tone } = describeSave(view, { isOnline, time });
  return (
    <>
      <p
        data-save-status
        title={text}
        className={`flex min-w-0 items-center gap-1.5 text-label ${tone === 'trouble' ? 'text-warning-text' : 'text-muted'}`}
      >
        {tone === 'trouble' && <CircleAlert aria-hidden className="size-4 shrink-0" />}
        {view.isSaving && tone !== 'trouble' && <LoaderCircle aria-hidden className="size-3.5 shrink-0 animate-spin" />}
        {tone === 'quiet' && view.post && !view.isDirty && <Check aria-hidden className="size-4 shrink-0 text-success-text" />}
        <span className="lg:truncate">{text}</span>
      </p>
      <span role="status" className="sr-only">
        {tone === 'trouble' ? text : ''}
      </span>
    </>
  );
}

/** The length of the text; keeps the previous one while a new one is loading. */
function TextLength({ preview }: { preview: BlogPostPreview | null }) {
  const locale = useViewerLocale();
  if (!preview) return null;
  const { wordCount, readingMinutes } = preview;
  return (
    <p className="text-label whitespace-nowrap text-muted">
      {wordCount.toLocaleString(locale)} {wordCount === 1 ? 'word' : 'words'}
      {wordCount > 0 && (
        <>
          {' · '}
          {readingMinutes} min<span className="sr-only">utes</span> read
        </>
      )}
    </p>
  );
}

/**
 * Saves the editor's content and then publishes it. Published posts are only saved, which publishes the changes too.
 *
 * @param onProblem called if a field prevents saving
 */
function usePublish(session: PostSession, onProblem: () => void) {
  const trpc = useTRPC();
  const { mutateAsync } = useMutation(trpc.blog.publish.mutationOptions({ networkMode: 'always' }));
  const [isPublishing, setIsPublishing] = useState(false);

  const save = async () => {
    const isSaved = await session.save();
    if (!isSaved && Object.keys(session.view().fieldErrors).length > 0) onProblem();
    return isSaved;
  };
  const publish = async () => {
    setIsPublishing(true);
    try {
      // Text typed between the two requests is not lost: it is shown as not live.
      if (!(await save())) return;
      const { post } = session.view();
      if (!post) return;
      const published = (await mutateAsync({ postId: post.id })).data.post;
      session.adopt(published);
      const { url } = published;
      toast.success('Post published', {
        ...(url === null
          ? {}
          : { description: url, action: { label: 'View', onClick: () => window.open(url, '_blank', 'noopener') } }),
        id: `post-${post.id}`,
        duration: 8_000,
      });
    } catch (error) {
      toast.failure('Couldn’t publish the post.', error);
    } finally {
      setIsPublishing(false);
    }
  };
  return { save, publish, isPublishing };
}
