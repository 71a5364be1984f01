'use client';

import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '@/app/_kit/error-state';
import { PageHeader } from '@/app/_kit/page-header';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import { AddressesCard } from './addresses-card';
import { IdentityFacts } from './identity-facts';
import { ProfileForm } from './profile-form';

/** The business profile: the form on the left, what is fixed and what takes effect at once on the right. */
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
