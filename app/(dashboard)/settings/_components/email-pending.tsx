'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorFacts } from '@/app/_kit/error-facts';
import { PendingButton } from '@/app/_kit/pending-button';
import { RelativeTime } from '@/app/_kit/relative-time';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { PendingEmail } from '@/server/features/accounts/account.schema';

/** An address that waits for its link to be opened. */
export function EmailPending({ pending }: { pending: PendingEmail }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const cancel = useMutation(
    trpc.account.cancelEmailChange.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.account.get.queryFilter()),
      onError: (error) => toast('The request could not be canceled', { description: errorFacts(error).message }),
    }),
  );
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-md bg-info-soft px-3 py-2 text-info-text">
      <p className="min-w-0 break-words">
        Open the link mailed to {pending.email} to confirm it. It ends <RelativeTime value={pending.expiresAt} />.
      </p>
      <PendingButton variant="secondary" size="sm" isPending={cancel.isPending} onPress={() => cancel.mutate({})}>
        Cancel request
      </PendingButton>
    </div>
  );
}
