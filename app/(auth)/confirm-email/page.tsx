import type { Metadata } from 'next';
import { currentSession } from '@/app/_trpc/server';
import { ConfirmEmail, SignInToConfirm } from './_components/confirm-email';
export const metadata: Metadata = { title: 'Confirm your email', robots: { index: false } };

/**
 * The page of the link mailed to a new address. It works in a browser that is signed in to the account; opening it changes
 * nothing.
 */
export default async function ConfirmEmailPage() {
  return (await currentSession()) ? <ConfirmEmail /> : <SignInToConfirm />;
}
