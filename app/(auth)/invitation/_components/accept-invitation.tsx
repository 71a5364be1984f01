import { useMutation } from '@tanstack/react-query';
import { errorFacts } from '@/app/_kit/error-facts';
import { FormError } from '@/app/_kit/form-error';
import { PendingButton } from '@/app/_kit/pending-button';
import { roleLabels } from '@/app/_kit/role-labels';
import { useTRPC } from '@/app/_trpc/client';
import { AuthCard } from '../../_components/auth-card';
import { DeclineButton } from './decline-button';
import { type InvitationInUse, invitationLead } from './invitation-in-use';

/** For the invited account: joins or declines. */
export function AcceptInvitation({ link, token, onDone, onExpired }: InvitationInUse) {
  const trpc = useTRPC();
  const accept = useMutation(
    trpc.invitations.accept.mutationOptions({
      // The answer selects the business in this browser.
      onSuccess: () => window.location.assign('/'),
      onError: (error) => {
        if (errorFacts(error).code === 'not_found') onExpired();
      },
    }),
  );
  return (
    <AuthCard title={`Join ${link.business}`} lead={<span className="break-words">{invitationLead(link)}</span>}>
      <p className="text-label text-muted">
        {roleLabels[link.role].label}: {roleLabels[link.role].meaning}
      </p>
      <FormError failure={accept.error && errorFacts(accept.error)} />
      <PendingButton
        variant="primary"
        fullWidth
        isPending={accept.isPending || accept.isSuccess}
        onPress={() => accept.mutate({ token })}
      >
        Join
      </PendingButton>
      <DeclineButton token={token} onDone={onDone} onExpired={onExpired} />
    </AuthCard>
  );
}
