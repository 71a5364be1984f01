import type { Metadata } from 'next';
import { currentSession, serverQueryClient, trpc } from '@/app/_trpc/server';
import { ConfirmEmail, SignInToConfirm } from './_components/confirm-email';
export const metadata: Metadata = { title: 'Confirm your email', robots: { index: false } };

/**
 * The page of the link mailed to a new address. It works in a browser that is signed in to the account; opening it changes
 * nothing.
 */
export default async function ConfirmEmailPage() {
  if (await currentSession()) return <ConfirmEmail />;
  const { origin } = await serverQueryClient().fetchQuery(trpc.passkeys.origin.queryOptions({}));
  return <SignInToConfirm passkeyOrigin={origin} />;
}
