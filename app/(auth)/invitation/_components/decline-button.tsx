import { useMutation } from '@tanstack/react-query';
import { errorFacts } from '@/app/_kit/error-facts';
import { FormError } from '@/app/_kit/form-error';
import { PendingButton } from '@/app/_kit/pending-button';
import { useTRPC } from '@/app/_trpc/client';
import type { InvitationInUse } from './invitation-in-use';

type DeclineButtonProps = Pick<InvitationInUse, 'token' | 'onDone' | 'onExpired'>;

/** Declines an invitation, which uses its link up. */
export function DeclineButton({ token, onDone, onExpired }: DeclineButtonProps) {
  const trpc = useTRPC();
  const decline = useMutation(
    trpc.invitations.decline.mutationOptions({
      onSuccess: onDone,
      onError: (error) => {
        if (errorFacts(error).code === 'not_found') onExpired();
      },
    }),
  );
  return (
    <>
      <FormError failure={decline.error && errorFacts(decline.error)} />
      <PendingButton variant="secondary" fullWidth isPending={decline.isPending} onPress={() => decline.mutate({ token })}>
        Decline
      </PendingButton>
    </>
  );
}
