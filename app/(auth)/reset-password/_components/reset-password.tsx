'use client';

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ButtonLink } from '@/app/_components/button-link';
import { ErrorState } from '@/app/_components/error-state';
import { SkeletonLines } from '@/app/_components/skeleton-lines';
import { useTRPCClient } from '@/app/_trpc/client';
import { AuthCard } from '../../_components/auth-card';
import { useLinkToken } from '../../_components/use-link-token';
import { NewPasswordForm } from './new-password-form';

/** Sets a new password for who got the link by mail. Nobody is signed in by it. */
export function ResetPassword() {
  const client = useTRPCClient();
  const token = useLinkToken();
  const [isDone, setDone] = useState(false);
  const [isOver, setOver] = useState(false);
  const link = useQuery({
    queryKey: ['password-link', token],
    queryFn: () => (token ? client.recovery.readPasswordLink.mutate({ token: token.slice(0, 200) }) : { email: null }),
    enabled: token !== null && !isDone,
    staleTime: Number.POSITIVE_INFINITY,
  });

  const finish = () => {
    setDone(true);
    // Worth nothing any more, and not to be kept in the history.
    window.history.replaceState(null, '', window.location.pathname);
  };

  if (isDone) return <PasswordSet />;
  if (link.isError) {
    return <ErrorState error={link.error} onRetry={() => void link.refetch()} title="The link could not be checked" />;
  }
  if (!link.data || token === null) {
    return (
      <AuthCard title="Set a new password">
        <SkeletonLines shape="text" lines={4} label="Checking the link" />
      </AuthCard>
    );
  }
  if (link.data.email === null || isOver) return <LinkOver />;
  return <NewPasswordForm token={token} email={link.data.email} onDone={finish} onOver={() => setOver(true)} />;
}

function PasswordSet() {
  return (
    <div role="status">
      <AuthCard title="Password changed" lead="All browsers were signed out. Sign in with the new password.">
        <ButtonLink variant="primary" href="/sign-in" prefetch={false}>
          Sign in
        </ButtonLink>
      </AuthCard>
    </div>
  );
}

function LinkOver() {
  return (
    <AuthCard
      title="This link does not work"
      lead="A link works once and for an hour, and a newer one replaces it. Check that the whole link was copied, or ask for a new one."
    >
      <ButtonLink variant="primary" href="/forgot-password" prefetch={false}>
        Get a new link
      </ButtonLink>
    </AuthCard>
  );
}
