'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ButtonLink } from '@/app/_components/button-link';
import { errorFacts } from '@/app/_components/error-facts';
import { ErrorState } from '@/app/_components/error-state';
import { FormError } from '@/app/_components/form-error';
import { PendingButton } from '@/app/_components/pending-button';
import { SkeletonLines } from '@/app/_components/skeleton-lines';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import { AuthCard } from '../../_components/auth-card';
import { useLinkToken } from '../../_components/use-link-token';

/** Shows what the mailed link does, and does it when asked to. */
export function ConfirmEmail() {
  const client = useTRPCClient();
  const trpc = useTRPC();
  const token = useLinkToken();
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const link = useQuery({
    queryKey: ['email-link', token],
    queryFn: () => client.account.readEmailLink.mutate({ token: (token || '-').slice(0, 200) }),
    enabled: token !== null && confirmed === null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const confirm = useMutation(
    trpc.account.confirmEmail.mutationOptions({
      onSuccess: () => {
        setConfirmed(link.data?.email ?? '');
        // Worth nothing any more, and not to be kept in the history.
        window.history.replaceState(null, '', window.location.pathname);
      },
    }),
  );

  if (confirmed !== null) return <Confirmed email={confirmed} />;
  const problem = confirm.error ?? link.error;
  if (problem && errorFacts(problem).code === 'not_found') return <LinkOver />;
  if (link.isError) {
    return <ErrorState error={link.error} onRetry={() => void link.refetch()} title="The link could not be checked" />;
  }
  if (!link.data || token === null) {
    return (
      <AuthCard title="Confirm your email">
        <SkeletonLines shape="text" lines={3} label="Checking the link" />
      </AuthCard>
    );
  }
  const { email, currentEmail } = link.data;
  const facts = confirm.error ? errorFacts(confirm.error) : null;
  return (
    <AuthCard
      title="Confirm your email"
      lead={
        email === currentEmail ? (
          <span className="break-words">This confirms that {email} is yours.</span>
        ) : (
          <span className="break-words">
            You sign in as {email} from then on, instead of {currentEmail}. Other browsers are signed out.
          </span>
        )
      }
    >
      <FormError failure={facts && { message: facts.message, requestId: facts.requestId }} />
      <PendingButton variant="primary" fullWidth isPending={confirm.isPending} onPress={() => confirm.mutate({ token })}>
        Confirm email
      </PendingButton>
      <ButtonLink href="/settings" prefetch={false} className="w-full">
        Not now
      </ButtonLink>
    </AuthCard>
  );
}

function Confirmed({ email }: { email: string }) {
  return (
    <div role="status">
      <AuthCard title="Email confirmed" lead={<span className="break-words">You sign in as {email}.</span>}>
        <ButtonLink variant="primary" href="/" prefetch={false}>
          Open the dashboard
        </ButtonLink>
      </AuthCard>
    </div>
  );
}

function LinkOver() {
  return (
    <AuthCard
      title="This link does not work"
      lead="A link works once and for 24 hours, for the account that asked for it, and a newer one replaces it. Check which account you are signed in with, or ask for a new link in the settings."
    >
      <ButtonLink variant="primary" href="/settings" prefetch={false}>
        Open settings
      </ButtonLink>
    </AuthCard>
  );
}
