import { FileX } from 'lucide-react';
import { ButtonLink } from '@/app/_components/button-link';
import { EmptyState } from '@/app/_components/empty-state';
import { PageHeader } from '@/app/_components/page-header';

/** Stands where a post was deleted, belongs to another business or never existed. */
export function PostNotFound() {
  return (
    <>
      <PageHeader title="Post not found" back={{ href: '/posts', label: 'Blog' }} />
      <div className="rounded-lg border border-border bg-surface">
        <EmptyState
          icon={FileX}
          title="There is no post at this address"
          description="It may have been deleted, or belong to another business of yours."
          action={
            <ButtonLink href="/posts" variant="primary">
              Show all posts
            </ButtonLink>
          }
        />
      </div>
    </>
  );
}
