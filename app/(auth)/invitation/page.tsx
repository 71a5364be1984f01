import type { Metadata } from 'next';
import { singleSignOnProblem } from '@/app/_kit/single-sign-on-messages';
import { currentSession, HydrateClient, prefetch, serverQueryClient, trpc } from '@/app/_trpc/server';
import { Invitation } from './_components/invitation';

export const metadata: Metadata = { title: 'Invitation', robots: { index: false } };

interface Props {
  /** `sso`: how a visit to the provider ended. */
  searchParams: Promise<{ sso?: string }>;
}

/** The page of the link of an invitation to a team. Opening it changes nothing. */
export default async function InvitationPage({ searchParams }: Props) {
  const { sso } = await searchParams;
  const session = await currentSession();
  const queries = serverQueryClient();
  const [account, { origin }] = await Promise.all([
    session && queries.fetchQuery(trpc.account.get.queryOptions({})),
    queries.fetchQuery(trpc.passkeys.origin.queryOptions({})),
  ]);
  await prefetch(trpc.singleSignOn.options.queryOptions({}));
  return (
    <HydrateClient>
      <Invitation
        user={account && { id: account.user.id, email: account.user.email }}
        passkeyOrigin={origin}
        problem={singleSignOnProblem(sso === undefined ? undefined : `sso_${sso}`)}
      />
    </HydrateClient>
  );
}
