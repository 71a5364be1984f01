import type { Metadata } from 'next';
import { cache } from 'react';
import { HydrateClient, serverQueryClient, trpc } from '@/app/_trpc/server';
import { appErrorOf } from '@/server/platform/trpc/trpc';
import { PostNotFound } from '../_components/editor/post-not-found';
import { PostPage } from '../_components/editor/post-page';

interface PageProps {
  params: Promise<{ postId: string }>;
}

/** The post, null where there is none, undefined where that could not be found out. */
const loadPost = cache(async (postId: string) => {
  try {
    return (await serverQueryClient().fetchQuery(trpc.blog.get.queryOptions({ postId }))).data.post;
  } catch (error) {
    const { code } = appErrorOf(error);
    // A malformed id is as unknown as any other; everything else the page itself reports, with a way to try again.
    return code === 'not_found' || code === 'invalid_request' ? null : undefined;
  }
});

export async function generateMetadata({ params }: PageProps): Promise<Metadata> {
  const post = await loadPost((await params).postId);
  if (post === null) return { title: 'Post not found' };
  return { title: post?.title ?? 'Post' };
}

/** One post in the editor. */
export default async function Page({ params }: PageProps) {
  const { postId } = await params;
  const { identities, identityId } = await serverQueryClient().fetchQuery(trpc.account.get.queryOptions({}));
  const identity = identities.find(({ id }) => id === identityId);
  // The layout says that there is no business.
  if (!identity) return null;
  if ((await loadPost(postId)) === null) return <PostNotFound />;
  return (
    <HydrateClient>
      <PostPage postId={postId} identity={identity} />
    </HydrateClient>
  );
}
