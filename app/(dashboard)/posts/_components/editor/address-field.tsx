'use client';

import { TriangleAlert } from 'lucide-react';
import type { Control } from 'react-hook-form';
import { CopyButton } from '@/app/_kit/copy-button';
import { FormTextField } from '@/app/_kit/form-fields';
import type { DetailsValues } from './details-values';
import type { PostSession } from './post-session';
import { usePostView } from './use-post-view';

interface AddressFieldProps {
  session: PostSession;
  control: Control<DetailsValues>;
  /** The public blog, without a slash at the end; undefined until it is known. */
  siteUrl: string | undefined;
}

/** Where the post stands on the blog; a public address that changes says so before it does. */
export function AddressField({ session, control, siteUrl }: AddressFieldProps) {
  const slug = usePostView(session, (view) => view.values.slug);
  const post = usePostView(session, (view) => view.post);
  const followsTitle = usePostView(session, (view) => view.followsTitle);
  const isPublic = post?.status === 'published';
  const moves = isPublic && slug !== post.slug && slug !== '';
  return (
    <div className="flex flex-col gap-1.5">
      <FormTextField
        control={control}
        name="slug"
        label="Address"
        mono
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder={followsTitle ? 'made from the title' : ''}
        description={
          followsTitle ? 'Follows the title until you write one.' : isPublic ? undefined : 'Empty it to follow the title.'
        }
      />
      {siteUrl && slug !== '' && (
        <div className="flex items-center gap-1 text-label text-muted">
          <span className="min-w-0 wrap-anywhere">
            {siteUrl.replace(/^https?:\/\//, '')}/<span className="text-foreground">{slug}</span>
          </span>
          {post?.url && !moves && <CopyButton value={post.url} label="Copy address" size="sm" />}
        </div>
      )}
      {moves && (
        <p role="status" className="flex gap-1.5 text-label text-warning-text">
          <TriangleAlert aria-hidden className="mt-px size-4 shrink-0" />
          The public address changes. The old one will lead to the new one.
        </p>
      )}
    </div>
  );
}
