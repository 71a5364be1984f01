'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { errorFacts } from '@/app/_kit/error-facts';
import { PendingButton } from '@/app/_kit/pending-button';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';

/** For an address that was changed before changes had to be confirmed. */
export function EmailUnproven({ email }: { email: string }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const prove = useMutation(
    trpc.account.proveEmail.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.account.get.queryFilter()),
      onError: (error) => toast('No link was sent', { description: errorFacts(error).message }),
    }),
  );
  return (
    <div className="mt-4 flex flex-wrap items-center justify-between gap-3 rounded-md bg-warning-soft px-3 py-2 text-warning-text">
      <p className="min-w-0 break-words">
        {email} is not confirmed. Until it is, invitations to it can’t be answered over the API.
      </p>
      <PendingButton variant="secondary" size="sm" isPending={prove.isPending} onPress={() => prove.mutate({})}>
        Send link
      </PendingButton>
    </div>
  );
}
