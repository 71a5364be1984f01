'use client';

import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '@/app/_kit/error-state';
import { Dialog } from '@/app/_kit/overlay/dialog';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import { BlogSettingsForm } from './blog-settings-form';

/** What holds for the whole blog. */
export function BlogSettingsDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const { data, error, refetch, isFetching } = useQuery(
    trpc.blog.settings.queryOptions({}, { select: ({ data }) => data.settings }),
  );
  return (
    <Dialog isOpen onOpenChange={onClose} title="Blog settings">
      {data ? (
        <BlogSettingsForm settings={data} onClose={onClose} />
      ) : error && !isFetching ? (
        <ErrorState error={error} onRetry={() => void refetch()} title="The settings could not be loaded" />
      ) : (
        <SkeletonLines lines={8} shape="text" label="Loading the settings" />
      )}
    </Dialog>
  );
}
