'use client';

import { useQuery } from '@tanstack/react-query';
import { ArrowUpRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { ErrorState } from '@/app/_components/error-state';
import { LocalNumber } from '@/app/_components/local-number';
import { PageHeader } from '@/app/_components/page-header';
import { RelativeTime } from '@/app/_components/relative-time';
import { SectionCard } from '@/app/_components/section-card';
import { SkeletonLines } from '@/app/_components/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import type { Account } from '@/server/modules/account/account.schema';
import { planTerms } from '@/server/plan';
import { PasswordForm } from './password-form';
import { ThemeSetting } from './theme-setting';

/** Account, password, appearance and plan. */
export function Settings() {
  const trpc = useTRPC();
  const account = useQuery(trpc.account.get.queryOptions({}));
  return (
    <div className="max-w-3xl">
      <PageHeader title="Settings" />
      {account.isPending && <SkeletonLines shape="text" lines={6} label="Loading settings" />}
      {account.isError && !account.data && (
        <ErrorState error={account.error} onRetry={() => void account.refetch()} title="The settings could not be loaded" />
      )}
      {account.data && (
        <div className="flex flex-col gap-6">
          <AccountSection account={account.data} />
          <PasswordForm email={account.data.user.email} />
          <ThemeSetting />
          <PlanSection account={account.data} />
          <SectionCard
            title="API"
            description="Programs read and change the same data over REST. The reference lists every call, with examples."
            actions={
              <a
                href="/docs"
                className="inline-flex items-center gap-1 py-1 font-medium text-accent-text underline-offset-2 hover:underline"
              >
                API reference
                <ArrowUpRight aria-hidden className="size-4" />
              </a>
            }
          />
        </div>
      )}
    </div>
  );
}

function AccountSection({ account }: { account: Account }) {
  return (
    <SectionCard title="Account">
      <dl className="flex flex-col gap-3">
        <Fact label="E-mail">{account.user.email}</Fact>
        <Fact label="Owner since">
          <RelativeTime value={account.user.createdAt} />
        </Fact>
      </dl>
    </SectionCard>
  );
}

function PlanSection({ account }: { account: Account }) {
  const identity = account.identities.find(({ id }) => id === account.identityId);
  if (!identity) return null;
  const { label, dailyRequestsPerKey } = planTerms[identity.plan];
  return (
    <SectionCard
      title="Plan"
      description={`What ${identity.displayName || identity.handle} is entitled to. Whoever runs this installation can change it.`}
    >
      <dl className="flex flex-col gap-3">
        <Fact label="Plan">{label}</Fact>
        <Fact label="API requests">
          {dailyRequestsPerKey === null ? (
            'Unlimited'
          ) : (
            <>
              <LocalNumber value={dailyRequestsPerKey} /> a day and key; the count starts anew at midnight UTC
            </>
          )}
        </Fact>
      </dl>
    </SectionCard>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="sm:grid sm:grid-cols-[8rem_1fr] sm:gap-6">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
