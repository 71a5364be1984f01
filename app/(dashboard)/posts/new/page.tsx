import type { Metadata } from 'next';
import { serverQueryClient, trpc } from '@/app/_trpc/server';
import { NewPostPage } from '../_components/editor/post-page';

export const metadata: Metadata = { title: 'New post' };

/** The editor for a new post. */
export default async function NewPage() {
  const { identities, identityId } = await serverQueryClient().fetchQuery(trpc.account.get.queryOptions({}));
  const identity = identities.find(({ id }) => id === identityId);
  // The layout shows that there is no business.
  return identity ? <NewPostPage identity={identity} /> : null;
}
