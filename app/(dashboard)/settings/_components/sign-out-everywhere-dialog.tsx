'use client';

import { useMutation } from '@tanstack/react-query';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { useDraftScope } from '@/app/_kit/draft-scope';
import { errorFacts } from '@/app/_kit/error-facts';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import { signOutHere } from '../../_components/sign-out';

/** Asks before every browser is signed out, this one included. */
export function SignOutEverywhereDialog({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const userId = useDraftScope()?.userId ?? null;
  const signOut = useMutation(
    trpc.account.signOutEverywhere.mutationOptions({
      // The session is over; what is left of it here is its cookie.
      onSuccess: () => signOutHere(userId),
      onError: (error) => toast.error(`Nobody was signed out. ${errorFacts(error).message}`),
    }),
  );
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title="Sign out everywhere?"
      description="Every browser is signed out at its next click, and this one now. Drafts kept in this browser are deleted."
      confirmLabel="Sign out everywhere"
      tone="danger"
      isPending={signOut.isPending || signOut.isSuccess}
      onConfirm={() => signOut.mutate({})}
    />
  );
}
