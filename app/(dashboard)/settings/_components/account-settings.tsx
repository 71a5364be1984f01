'use client';

import { useQuery } from '@tanstack/react-query';
import { ErrorState } from '@/app/_kit/error-state';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { useTRPC } from '@/app/_trpc/client';
import { EmailSetting } from './email-setting';
import { PasswordForm } from './password-form';

/** Email and password of the signed-in person. */
export function AccountSettings() {
  const trpc = useTRPC();
  const account = useQuery(trpc.account.get.queryOptions({}));
  if (account.data) {
    return (
      <>
        <EmailSetting user={account.data.user} />
        <PasswordForm email={account.data.user.email} />
      </>
    );
  }
  if (account.isError) {
    return <ErrorState error={account.error} onRetry={() => void account.refetch()} title="The account could not be loaded" />;
  }
  return <SkeletonLines shape="text" lines={6} label="Loading the account" />;
}
