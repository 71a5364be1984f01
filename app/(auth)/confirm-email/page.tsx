import type { Metadata } from 'next';
import { currentSession } from '@/app/_trpc/server';
import { ConfirmEmail, SignInToConfirm } from './_components/confirm-email';
export const metadata: Metadata = { title: 'Confirm your email', robots: { index: false } };

/** Where the link mailed to a new address leads. It works in a browser in which its account is signed in; opening it changes nothing. */
export default async function ConfirmEmailPage() {
  return (await currentSession()) ? <ConfirmEmail /> : <SignInToConfirm />;
}
