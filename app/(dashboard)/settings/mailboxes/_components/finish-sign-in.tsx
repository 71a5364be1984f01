'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { ButtonLink } from '@/app/_kit/button-link';
import { ErrorState } from '@/app/_kit/error-state';
import { SectionCard } from '@/app/_kit/section-card';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';

/** Finishes a visit to a provider of mailboxes, which has led back here with its answer. */
export function FinishSignIn() {
  const trpc = useTRPC();
  const router = useRouter();
  const hasBegun = useRef(false);
  const { mutate, error } = useMutation(
    trpc.mailboxes.finishSignIn.mutationOptions({
      onSuccess: ({ address }) => {
        toast.success(`${address} is connected`);
        router.replace('/settings/mailboxes');
      },
    }),
  );

  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    const { pathname, search } = window.location;
    // The answer works once, and does not belong in the history.
    window.history.replaceState(window.history.state, '', pathname);
    mutate({ query: search.slice(1) });
  }, [mutate]);

  return (
    <SectionCard
      title="Signing in to the mailbox"
      footer={
        error && (
          <ButtonLink href="/settings/mailboxes" variant="primary" size="sm">
            Back to mailboxes
          </ButtonLink>
        )
      }
    >
      {error ? (
        <ErrorState error={error} title="Couldn’t sign in" reassurance="Nothing was changed." />
      ) : (
        <p role="status" className="text-muted">
          Trying the mailbox out. This takes up to half a minute.
        </p>
      )}
    </SectionCard>
  );
}
