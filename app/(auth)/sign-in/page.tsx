import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { currentSession, serverQueryClient, trpc } from '@/app/_trpc/server';
import { AuthCard } from '../_components/auth-card';
import { safeCallbackUrl } from '../_components/callback-url';
import { SignInForm } from './_components/sign-in-form';

export const metadata: Metadata = { title: 'Sign in' };

const notices: Record<string, string> = {
  'signed-out': 'You’ve been signed out.',
};

interface Props {
  searchParams: Promise<{ callbackUrl?: string | string[]; notice?: string }>;
}

/** Signs owners in, or explains that the installation has no owner yet. */
export default async function SignInPage({ searchParams }: Props) {
  const { callbackUrl, notice } = await searchParams;
  const destination = safeCallbackUrl(callbackUrl);
  if (await currentSession()) redirect(destination);
  const { needed } = await serverQueryClient().fetchQuery(trpc.setup.status.queryOptions({ token: '' }));
  if (needed) return <SetupNeeded />;
  return <SignInForm destination={destination} notice={notices[notice ?? '']} />;
}

/** Replaces the form on an installation without an owner, where signing in can't work. */
function SetupNeeded() {
  return (
    <AuthCard
      title="Set up Frontdesk"
      lead="No account exists yet. Open the setup link that the server printed at startup to create your account and first business."
    >
      <p className="text-muted">Can’t find the link? Restart the server to print a new one.</p>
    </AuthCard>
  );
}
