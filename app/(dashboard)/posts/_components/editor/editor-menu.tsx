'use client';

import { useRouter } from 'next/navigation';
import { useListHref } from '@/app/_kit/list-memory';
import { undoToast } from '@/app/_kit/undo-toast';
import type { BlogPostRecord } from '@/server/features/blog/blog-post.schema';
import { PostMenu } from '../post-menu';
import { movesOf } from '../post-moves';
import type { PostSession } from './post-session';
import { usePostView } from './use-post-view';

/** What can be done with the post in the editor. Publishing is the page's own button. */
export function EditorMenu({ session, post }: { session: PostSession; post: BlogPostRecord }) {
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
      extra={isDirty && post.status === 'published' ? { label: 'Discard changes', onAction: discard } : null}
      onDeleted={() => {
        session.end();
        router.push(listHref);
      }}
    />
  );
}
