import { useState } from 'react';
import { ButtonLink } from '@/app/_kit/button-link';
import { closeDrafts, countDrafts } from '@/app/_kit/draft-store';
import { errorFacts } from '@/app/_kit/error-facts';
import { FormError } from '@/app/_kit/form-error';
import { callNextAuth } from '@/app/_kit/next-auth-client';
import { PendingButton } from '@/app/_kit/pending-button';
import type { FormFailure } from '@/app/_kit/use-form-errors';
import { AuthCard } from '../../_components/auth-card';
import type { InvitationInUse, SignedIn } from './invitation-in-use';

/** Shown when the signed-in account is not the invited one. */
export function OtherAccount({ link, user }: InvitationInUse & { user: NonNullable<SignedIn> }) {
  const [isLeaving, setLeaving] = useState(false);
  const [failure, setFailure] = useState<FormFailure | null>(null);
  const hasDrafts = countDrafts(user.id) > 0;
  const signOut = async () => {
    setLeaving(true);
    setFailure(null);
    try {
      await callNextAuth('signout', {});
      closeDrafts(user.id);
      // The same address, so that the token stays.
      window.location.reload();
    } catch (error) {
      setFailure(errorFacts(error));
      setLeaving(false);
    }
  };
  return (
    <AuthCard
      title={`Join ${link.business}`}
      lead={
        <span className="break-words">
          This invitation is for {link.email}, and you’re signed in as {user.email}.
        </span>
      }
    >
      {hasDrafts && <p className="text-label text-muted">Signing out deletes unsaved drafts in this browser.</p>}
      <FormError failure={failure} />
      <PendingButton variant="primary" fullWidth isPending={isLeaving} onPress={() => void signOut()}>
        Sign out and continue
      </PendingButton>
      <ButtonLink href="/" prefetch={false} className="w-full">
        Not now
      </ButtonLink>
    </AuthCard>
  );
}
