import type { Metadata } from 'next';
import { serverQueryClient, trpc } from '@/app/_trpc/server';
import { NewPostPage } from '../_components/editor/post-page';

export const metadata: Metadata = { title: 'New post' };

/** A post that is not there yet. */
export default async function NewPage() {
  const { identities, identityId } = await serverQueryClient().fetchQuery(trpc.account.get.queryOptions({}));
  const identity = identities.find(({ id }) => id === identityId);
  // The layout says that there is no business.
  return identity ? <NewPostPage identity={identity} /> : null;
}
