'use client';

import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '@/app/_kit/error-state';
import { CodeFact, Fact, FactList } from '@/app/_kit/facts';
import { PageHeader } from '@/app/_kit/page-header';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SectionCard } from '@/app/_kit/section-card';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import type { IdentityRecord } from '@/server/features/identity/identity.schema';
import { AddressesCard } from './addresses-card';
import { ProfileForm } from './profile-form';

/** The business profile: the form on the left, read-only facts and immediate actions on the right. */
export function BusinessProfile() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.identity.get.queryOptions({}));
  return (
    <>
      <PageHeader
        title="Business profile"
        description="What people and agents get to know about the business. The API serves the same at GET /identity."
      />
      {data ? (
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <ProfileForm identity={data} />
          <div className="flex min-w-0 flex-col gap-6">
            <IdentityFacts identity={data} />
            <AddressesCard />
          </div>
        </div>
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} title="The profile could not be loaded" />
      ) : (
        <SkeletonLines shape="text" lines={10} label="Loading profile" />
      )}
    </>
  );
}

const scopes: Record<IdentityRecord['scope'], string> = {
  business: 'Business: it speaks for a company.',
  identity: 'Identity: it speaks for one person.',
};

/** Public identifiers of the business. */
function IdentityFacts({ identity }: { identity: IdentityRecord }) {
  const { handle, address, scope, id, createdAt, updatedAt } = identity;
  return (
    <SectionCard title="Identity" description="Links, mail and integrations that are out in the world depend on these.">
      <FactList>
        <Fact term="Handle" note="The name in public addresses of this business." copy={{ value: handle, label: 'Copy handle' }}>
          <CodeFact>{handle}</CodeFact>
        </Fact>
        <Fact
          term="Main address"
          note={
            address
              ? 'Mail to it reaches this business. To change it, prove a further address and use that one.'
              : 'To get one, prove a further address and use it as main address.'
          }
          {...(address ? { copy: { value: address, label: 'Copy main address' } } : {})}
        >
          <span className="truncate" title={address ?? undefined}>
            {address ?? 'None yet'}
          </span>
        </Fact>
        <Fact term="Scope" note={scopes[scope]}>
          <CodeFact>{scope}</CodeFact>
        </Fact>
        <Fact term="Identity id" copy={{ value: id, label: 'Copy identity id' }}>
          <CodeFact>{id}</CodeFact>
        </Fact>
        <Fact term="Created">
          <RelativeTime value={createdAt} />
        </Fact>
        <Fact term="Updated">{updatedAt ? <RelativeTime value={updatedAt} /> : 'Not since it was created'}</Fact>
      </FactList>
    </SectionCard>
  );
}
