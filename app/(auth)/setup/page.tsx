import type { Metadata } from 'next';
import { serverQueryClient, trpc } from '@/app/_trpc/server';
import { AuthCard, AuthLink } from '../_components/auth-card';
import { SetupForm } from './_components/setup-form';

export const metadata: Metadata = { title: 'Set up' };

interface Props {
  searchParams: Promise<{ token?: string | string[] }>;
}

/** The one-time page behind the link that a fresh installation prints. */
export default async function SetupPage({ searchParams }: Props) {
  const { token } = await searchParams;
  if (typeof token !== 'string' || !(await isValid(token))) return <InvalidLink />;
  return <SetupForm token={token} />;
}

async function isValid(token: string): Promise<boolean> {
  if (token.length > 200) return false;
  const { valid } = await serverQueryClient().fetchQuery(trpc.setup.status.queryOptions({ token }));
  return valid;
}

function InvalidLink() {
  return (
    <AuthCard
      title="This setup link doesn’t work"
      lead={
        <>
          Setup links work once. If Frontdesk is already set up, <AuthLink href="/sign-in">sign in</AuthLink>.
        </>
      }
    >
      <p className="text-muted">If it isn’t, check that you copied the whole link, or restart the server to print a new one.</p>
    </AuthCard>
  );
}
