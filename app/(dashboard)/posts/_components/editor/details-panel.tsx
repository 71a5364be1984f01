'use client';

import { X } from 'lucide-react';
import { Button } from '@/app/_kit/button';
import { FormTextArea } from '@/app/_kit/form-fields';
import { HistoryLink } from '@/app/_kit/history-link';
import { IconButton } from '@/app/_kit/icon-button';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { FormTagInput } from '@/app/_kit/tag-input';
import type { BlogPostPreview } from '@/server/features/blog/blog-site.schema';
import { useBlogOverview } from '../use-blog-overview';
import { AddressField } from './address-field';
import { AuthorFields } from './author-fields';
import { CoverField } from './cover-field';
import type { PostSession } from './post-session';
import { descriptionLength, SharePreviews } from './share-previews';
import { useDetailsForm } from './use-details-form';
import { usePostView } from './use-post-view';

interface DetailsProps {
  session: PostSession;
  preview: BlogPostPreview | null;
  /** What the blog is called. */
  siteName: string;
}

interface DetailsPanelProps extends DetailsProps {
  id: string;
  /** True on a window wide enough for a drawer; else it is a sheet. */
  isDrawer: boolean;
  onClose: () => void;
}

/** Everything about a post but its title and text: a drawer on the right, and on a phone a sheet. */
export function DetailsPanel({ id, isDrawer, onClose, ...details }: DetailsPanelProps) {
  if (!isDrawer) {
    return (
      <Dialog
        isOpen
        onOpenChange={onClose}
        title="Details"
        size="lg"
        footer={
          <Button variant="primary" onPress={onClose}>
            Done
          </Button>
        }
      >
        <Details {...details} />
      </Dialog>
    );
  }
  return (
    <aside
      id={id}
      aria-labelledby={`${id}-title`}
      className="flex w-88 shrink-0 flex-col border-l border-border bg-background max-[90rem]:absolute max-[90rem]:inset-y-0 max-[90rem]:right-0 max-[90rem]:z-10 max-[90rem]:shadow-overlay"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose();
      }}
    >
      <div className="flex h-11 shrink-0 items-center justify-between border-b border-border pr-2 pl-5">
        <h2 id={`${id}-title`} className="text-sm font-semibold">
          Details
        </h2>
        <IconButton label="Close details" onPress={onClose}>
          <X aria-hidden />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">
        <Details {...details} />
      </div>
    </aside>
  );
}

function Details({ session, preview, siteName }: DetailsProps) {
  const form = useDetailsForm(session);
  const overview = useBlogOverview();
  const values = usePostView(session, (view) => view.values);
  const postId = usePostView(session, (view) => view.post?.id);
  const description = values.metaDescription.trim() || values.excerpt.trim() || preview?.description || '';
  const { control } = form;
  return (
    <form
      className="flex flex-col gap-5"
      onSubmit={(event) => event.preventDefault()}
      onBlur={session.saveSoon}
      noValidate
      aria-label="Details"
    >
      <AddressField session={session} control={control} siteUrl={overview?.siteUrl} />
      <FormTextArea
        control={control}
        name="excerpt"
        label="Excerpt"
        rows={3}
        description="Stands below the title and in lists. Without one, lists show the first sentences."
      />
      <FormTagInput control={control} name="tags" label="Tags" suggestions={overview?.tags ?? []} />
      <CoverField form={form} url={values.coverImageUrl} />
      <AuthorFields form={form} />
      <FormTextArea
        control={control}
        name="metaDescription"
        label="Search description"
        rows={3}
        description={<DescriptionLength text={values.metaDescription} />}
      />
      <SharePreviews
        title={values.title}
        description={description}
        siteName={siteName}
        siteUrl={overview?.siteUrl}
        slug={values.slug}
        coverImageUrl={values.coverImageUrl}
        authorName={values.authorName}
      />
      {postId !== undefined && <HistoryLink id={postId} subject="this post" className="self-start" />}
    </form>
  );
}

/** Longer ones are allowed, and cut by search engines. */
function DescriptionLength({ text }: { text: string }) {
  const used = [...text].length;
  if (used === 0) return 'For search engines. Without one, they are given the excerpt or the first sentences.';
  return used <= descriptionLength
    ? `${used} of about ${descriptionLength} characters that search engines show.`
    : `${used} characters; search engines show about ${descriptionLength}.`;
}
