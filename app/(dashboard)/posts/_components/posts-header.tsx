import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { ButtonLink } from '@/app/_kit/button-link';
import { PageHeader } from '@/app/_kit/page-header';

/** The head of the list. `actions` are about the blog as a whole. */
export function PostsHeader({ actions }: { actions: ReactNode }) {
  return (
    <PageHeader
      title="Blog"
      actions={actions}
      primaryAction={
        <ButtonLink href="/posts/new" variant="primary">
          <Plus aria-hidden />
          New post
        </ButtonLink>
      }
    />
  );
}
