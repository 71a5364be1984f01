import type { Metadata } from 'next';
import { cache } from 'react';
import { isAllowed } from '@/app/_kit/permission';
import { RecordNotFound } from '@/app/_kit/record-not-found';
import { recordOrNull } from '@/app/_trpc/page-data';
import { HydrateClient, prefetch, serverQueryClient, trpc } from '@/app/_trpc/server';
import { PostPage } from '../_components/editor/post-page';

interface PageProps {
  params: Promise<{ postId: string }>;
}

const loadPost = cache(async (postId: string) => {
  const answer = await recordOrNull(serverQueryClient().fetchQuery(trpc.blog.get.queryOptions({ postId })));
  return answer === null ? null : answer?.data.post;
});

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const post = await loadPost((await params).postId);
  if (post === null) return { title: 'Post not found' };
  return { title: post?.title ?? 'Post' };
}

export default async function Page({ params }: PageProps) {
  const { postId } = await params;
  const { identities, identityId } = await serverQueryClient().fetchQuery(trpc.account.get.queryOptions({}));
  const identity = identities.find(({ id }) => id === identityId);
  // The layout shows that there is no business.
  if (!identity) return null;
  const post = await loadPost(postId);
  if (post === null) return <RecordNotFound what="post" id={postId} />;
  // Which drafts are a member's own; others change all posts or none.
  if (post?.status === 'draft' && isAllowed(identity.role, 'blog:draft') && !isAllowed(identity.role, 'blog:write')) {
    await prefetch(trpc.blog.editing.queryOptions({ postId }));
  }
  return (
    <HydrateClient>
      <PostPage postId={postId} identity={identity} />
    </HydrateClient>
  );
}
