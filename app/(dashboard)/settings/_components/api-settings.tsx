'use client';

import { useQuery } from '@tanstack/react-query';
import { ArrowUpRight } from 'lucide-react';
import { ButtonLink } from '@/app/_kit/button-link';
import { ErrorState } from '@/app/_kit/error-state';
import { LocalNumber } from '@/app/_kit/local-number';
import { QueryResult } from '@/app/_kit/query-result';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { usePermission } from '@/app/_kit/use-permission';
import { useTRPC } from '@/app/_trpc/client';
import type { Account } from '@/server/features/accounts/account.schema';
import type { ApiKeyRecord } from '@/server/features/api-keys/api-key.schema';
import { planTerms } from '@/server/platform/plan';
import { Fact, Facts } from './facts';
import { keySummary } from './key-summary';

/** The plan of the business, a summary of its keys, and the reference. */
export function ApiSettings() {
  const trpc = useTRPC();
  const account = useQuery(trpc.account.get.queryOptions({}));
  const { isAllowed, reason } = usePermission('keys:write');
  const keys = useQuery(trpc.apiKeys.list.queryOptions({}, { enabled: isAllowed }));
  const identity = account.data?.identities.find(({ id }) => id === account.data.identityId);
  return (
    <>
      {account.isError && !account.data && (
        <ErrorState error={account.error} onRetry={() => void account.refetch()} title="Couldn’t load the plan" />
      )}
      {identity && <PlanSection identity={identity} />}
      <SectionCard
        title="API keys"
        description="Keys let other apps access your data: a website, a shop or a script."
        actions={
          <ButtonLink href="/api-keys" needs="keys:write" size="sm">
            Manage keys
          </ButtonLink>
        }
      >
        {isAllowed ? (
          <QueryResult
            query={keys}
            failure="Couldn’t load keys"
            reassurance="Your keys aren’t affected."
            loading="Loading keys"
            lines={3}
          >
            {(list) => <Keys keys={list} />}
          </QueryResult>
        ) : (
          <p className="text-muted">{reason}</p>
        )}
      </SectionCard>
      <SectionCard
        title="API reference"
        description="Every API call, with examples."
        actions={
          <a
            href="/docs"
            className="inline-flex items-center gap-1 py-1 font-medium text-accent-text underline-offset-2 hover:underline"
          >
            Open
            <span className="sr-only"> the API reference</span>
            <ArrowUpRight aria-hidden className="size-4" />
          </a>
        }
      />
    </>
  );
}

function PlanSection({ identity }: { identity: Account['identities'][number] }) {
  const { label, dailyRequestsPerKey } = planTerms[identity.plan];
  return (
    <SectionCard
      title="Plan"
      description="Ask your administrator to change your plan."
      actions={
        <ButtonLink href="/usage" size="sm">
          View usage
        </ButtonLink>
      }
    >
      <Facts>
        <Fact label="Plan">{label}</Fact>
        <Fact label="API requests">
          {dailyRequestsPerKey === null ? (
            'Unlimited'
          ) : (
            <>
              <LocalNumber value={dailyRequestsPerKey} /> per key per day, resets at midnight UTC
            </>
          )}
        </Fact>
      </Facts>
    </SectionCard>
  );
}

function Keys({ keys }: { keys: readonly ApiKeyRecord[] }) {
  const { working, lastUsed, expiring } = keySummary(keys, new Date());
  return (
    <Facts>
      <Fact label="Active keys">{working === 0 ? 'None' : <LocalNumber value={working} />}</Fact>
      <Fact label="Last used">
        {lastUsed === null ? (
          'Never'
        ) : (
          <>
            <RelativeTime value={lastUsed.at} /> <span className="text-muted">({lastUsed.name})</span>
          </>
        )}
      </Fact>
      {expiring.length > 0 && (
        <Fact label="Expiring soon">
          <ul>
            {expiring.map(({ id, name, expiresAt }) => (
              <li key={id} className="text-warning-text">
                {name} stops working <RelativeTime value={expiresAt} />
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </Facts>
  );
}
