import type { Metadata } from 'next';
import Link from 'next/link';
import { serverQueryClient, trpc } from '@/app/_trpc/server';
import { SetupForm } from './_components/setup-form';

export const metadata: Metadata = { title: 'Set up' };

interface Props {
  searchParams: Promise<{ token?: string | string[] }>;
}

/** The one-time page behind the link a fresh installation prints. */
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
    <section className="rounded-lg border border-border bg-surface p-6">
      <h1 className="text-title font-semibold tracking-tight">This setup link does not work</h1>
      <p className="mt-2 text-muted">
        A link works once, until the first owner exists. If somebody has set Frontdesk up already,{' '}
        <Link href="/sign-in" className="text-accent-text underline underline-offset-2">
          sign in
        </Link>
        .
      </p>
      <p className="mt-3 text-muted">
        If nobody has, check that the whole link was copied, or restart the server: it prints a new one as long as there is no
        owner.
      </p>
    </section>
  );
}
