'use client';

import type { RefObject } from 'react';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import type { BlogPostPreview } from '@/server/features/blog/blog-site.schema';
import { PreviewFrame } from './preview-frame';

interface PreviewPaneProps {
  preview: BlogPostPreview | null;
  isStale: boolean;
  source: RefObject<HTMLElement | null>;
}

/** The post as readers will see it, and what is to be said about that. */
export function PreviewPane({ preview, isStale, source }: PreviewPaneProps) {
  const note = isStale
    ? preview
      ? 'The preview can’t be renewed at the moment. It shows an earlier state.'
      : 'The preview can’t be shown at the moment.'
    : preview?.isPlain
      ? 'This text is too heavy to be set as Markdown, and is shown as it was typed.'
      : '';
  return (
    <>
      <p role="status" className={note === '' ? 'sr-only' : 'border-b border-border px-4 py-1.5 text-label text-muted'}>
        {note}
      </p>
      {preview ? (
        <div className="min-h-0 flex-1">
          <PreviewFrame page={preview.page} source={source} />
        </div>
      ) : (
        !isStale && (
          <div className="p-8">
            <SkeletonLines shape="text" lines={8} label="Loading the preview" />
          </div>
        )
      )}
    </>
  );
}
