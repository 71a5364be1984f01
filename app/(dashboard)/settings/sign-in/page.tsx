import type { Metadata } from 'next';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { Passkeys } from '../_components/passkeys';
import { Sessions } from '../_components/sessions';
import { SingleSignOn } from '../_components/single-sign-on';
import { TwoFactor } from '../_components/two-factor';

export const metadata: Metadata = { title: 'Sign-in · Settings' };

/** How the account holder signs in, and where they are signed in. */
export default async function SignInSettingsPage() {
  await Promise.all([
    prefetch(trpc.passkeys.list.queryOptions({})),
    prefetch(trpc.twoFactor.status.queryOptions({})),
    prefetch(trpc.singleSignOn.status.queryOptions({})),
    prefetch(trpc.account.sessions.queryOptions({})),
  ]);
  return (
    <HydrateClient>
      <Passkeys />
      <TwoFactor />
      <SingleSignOn />
      <Sessions />
    </HydrateClient>
  );
}
