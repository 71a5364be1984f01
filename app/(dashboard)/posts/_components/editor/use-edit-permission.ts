import { useQuery } from '@tanstack/react-query';
import { usePermission } from '@/app/_kit/use-permission';
import { useTRPC } from '@/app/_trpc/client';
import type { Permission } from '@/server/platform/auth/scopes.schema';
import { editPermission } from '../post-moves';
import type { PostSession } from './post-session';
import { usePostView } from './use-post-session';

/** What changing the post of an editor needs. For members, the server says which drafts are their own. */
export function useEditPermission(session: PostSession): Permission {
  const trpc = useTRPC();
  const post = usePostView(session, (view) => view.post);
  const all = usePermission('blog:write');
  const own = usePermission('blog:draft');
  const enabled = post?.status === 'draft' && own.isAllowed && !all.isAllowed;
  const { data } = useQuery(trpc.blog.editing.queryOptions({ postId: post?.id ?? '' }, { enabled }));
  // Until it is known, a draft counts as their own: the page brings it along, so it is one that was just created here.
  return editPermission(post, !enabled || (data?.isEditable ?? true));
}
