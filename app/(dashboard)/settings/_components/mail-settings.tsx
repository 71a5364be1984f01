'use client';

import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '@/app/_kit/error-state';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import { MailAddresses } from './mail-addresses';
import { MailDns } from './mail-dns';
import { MailInbound } from './mail-inbound';
import { MailOutbound } from './mail-outbound';

/** What works of mail and what does not, and what whoever runs the installation has to set. */
export function MailSettings() {
  const trpc = useTRPC();
  const status = useQuery(trpc.mail.status.queryOptions({}));
  if (status.data) {
    return (
      <>
        <MailOutbound outbound={status.data.outbound} />
        <MailInbound inbound={status.data.inbound} />
        <MailAddresses addresses={status.data.addresses} />
        <MailDns status={status.data} />
      </>
    );
  }
  if (status.isError) {
    return (
      <ErrorState error={status.error} onRetry={() => void status.refetch()} title="The state of mail could not be loaded" />
    );
  }
  return <SkeletonLines shape="text" lines={8} label="Loading the state of mail" />;
}
