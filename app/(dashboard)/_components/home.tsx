'use client';

import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import Link from 'next/link';
import { ButtonLink } from '@/app/_components/button-link';
import { ErrorState } from '@/app/_components/error-state';
import { LocalNumber } from '@/app/_components/local-number';
import { SkeletonLines } from '@/app/_components/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import { FirstSteps } from './first-steps';
import { NewestCustomers } from './newest-customers';

/** How the business stands today, and what is worth doing next. */
export function Home() {
  const trpc = useTRPC();
  const customers = useQuery(trpc.customers.list.queryOptions({ limit: 5 }));
  const keys = useQuery(trpc.apiKeys.list.queryOptions({}));
  const identity = useQuery(trpc.identity.get.queryOptions({}));

  const failed = [customers, keys, identity].find((query) => query.isError && query.data === undefined);
  if (failed) {
    const retry = () => void Promise.all([customers, keys, identity].map((query) => query.refetch()));
    return <ErrorState error={failed.error} onRetry={retry} title="Home could not be loaded" />;
  }
  if (!customers.data || !keys.data || !identity.data) return <SkeletonLines lines={8} label="Loading home" />;

  const { displayName, handle, profile } = identity.data;
  const now = new Date().toISOString();
  const working = keys.data.filter((key) => key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now));
  const used = working.filter((key) => key.lastUsedAt !== null);

  return (
    <>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <h1 className="min-w-0 truncate text-display font-semibold tracking-tight">{displayName || handle}</h1>
        <ButtonLink variant="primary" href="/customers/new">
          <Plus aria-hidden />
          New customer
        </ButtonLink>
      </header>
      <div className="mb-6 grid gap-px grid-cols-3 overflow-hidden rounded-lg border border-border bg-border">
        <Figure href="/customers" label="Customers" value={customers.data.total} />
        <Figure href="/api-keys" label="API keys" value={working.length} note={`${used.length} in use`} />
        <Figure href="/identity" label="Services" value={profile?.services?.filter((service) => service.active).length ?? 0} />
      </div>
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_340px]">
        <NewestCustomers customers={customers.data.customers} total={customers.data.total} />
        <FirstSteps
          hasProfile={Boolean(profile?.about || profile?.tagline)}
          hasCustomer={customers.data.total > 0}
          hasUsedKey={keys.data.some((key) => key.lastUsedAt !== null)}
        />
      </div>
    </>
  );
}

function Figure({ href, label, value, note }: { href: string; label: string; value: number; note?: string }) {
  return (
    <Link href={href} className="bg-surface px-4 py-3 -outline-offset-2 sm:px-5 sm:py-4 hover:bg-surface-hover">
      <div className="text-label text-muted">{label}</div>
      <div className="mt-1 flex flex-wrap items-baseline gap-x-2">
        <span className="text-display font-semibold tracking-tight">
          <LocalNumber value={value} />
        </span>
        {note && <span className="text-label text-muted">{note}</span>}
      </div>
    </Link>
  );
}
