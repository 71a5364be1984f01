import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { singleSignOnProblem } from '@/app/_kit/single-sign-on-messages';
import { currentSession, HydrateClient, prefetch, serverQueryClient, trpc } from '@/app/_trpc/server';
import { safeReturnPath } from '@/server/platform/http/return-path';
import { AuthCard } from '../_components/auth-card';
import type { SecondFactorMethod } from '../_components/sign-in-requests';
import { SignInForm } from './_components/sign-in-form';
import { SingleSignOnCode } from './_components/single-sign-on-code';

export const metadata: Metadata = { title: 'Sign in' };

const notices: Record<string, string> = {
  'signed-out': 'You’ve been signed out.',
};

interface Props {
  searchParams: Promise<{ callbackUrl?: string | string[]; notice?: string; error?: string; step?: string; methods?: string }>;
}

/** What the second step of single sign-on offers: without a list, an app. */
function methodsOf(list = 'app'): SecondFactorMethod[] {
  return (['app', 'passkey'] as const).filter((method) => list.split(',').includes(method));
}

/** Signs owners in, or explains that the installation has no owner yet. */
export default async function SignInPage({ searchParams }: Props) {
  const { callbackUrl, notice, error, step, methods } = await searchParams;
  const destination = safeReturnPath(callbackUrl);
  if (await currentSession()) redirect(destination);
  const queries = serverQueryClient();
  const [{ needed }, passkeys] = await Promise.all([
    queries.fetchQuery(trpc.setup.status.queryOptions({ token: '' })),
    queries.fetchQuery(trpc.passkeys.origin.queryOptions({})),
  ]);
  if (needed) return <SetupNeeded />;
  if (step === 'code') return <SingleSignOnCode destination={destination} methods={methodsOf(methods)} />;
  await prefetch(trpc.singleSignOn.options.queryOptions({}));
  return (
    <HydrateClient>
      <SignInForm
        destination={destination}
        notice={notices[notice ?? '']}
        problem={singleSignOnProblem(error)}
        passkeyOrigin={passkeys.origin}
      />
    </HydrateClient>
  );
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
