import type { Metadata } from 'next';
import { PageHeader } from '@/app/_kit/page-header';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { Prefetched } from '@/app/_trpc/page-data';
import { prefetch, trpc } from '@/app/_trpc/server';
import { Quarantine } from './_components/quarantine';

export const metadata: Metadata = { title: 'Blocked messages' };

const load = () => Promise.all([prefetch(trpc.mail.quarantine.queryOptions({})), prefetch(trpc.account.get.queryOptions({}))]);

/** Messages that could not be accepted, stored unchanged. */
export default function QuarantinePage() {
  return (
    <>
      <PageHeader title="Blocked messages" description="Incoming messages we couldn’t process, kept until you delete them." />
      <Prefetched load={load} fallback={<SkeletonLines lines={4} label="Loading messages" />}>
        <Quarantine />
      </Prefetched>
    </>
  );
}
