import type { Metadata } from 'next';
import type { SearchPageProps } from '@/app/_trpc/page-data';
import { prefetch, trpc } from '@/app/_trpc/server';
import { LogPage } from '../_components/log-page';
import { SecurityLog } from '../_components/security-log';
import { loadSecuritySearch, securityInput } from '../search-params';

export const metadata: Metadata = { title: 'Security log' };

export default function SecurityPage({ searchParams }: SearchPageProps) {
  const load = async () => prefetch(trpc.audit.security.queryOptions(securityInput(await loadSecuritySearch(searchParams))));
  return (
    <LogPage
      current="/audit/security"
      description="Failed sign-ins, refused API keys and blocked requests for your account and this business."
      load={load}
    >
      <SecurityLog />
    </LogPage>
  );
}
