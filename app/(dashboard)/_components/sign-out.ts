import { useDraftScope } from '@/app/_kit/draft-scope';
import { closeDrafts, countDrafts } from '@/app/_kit/draft-store';
import { callNextAuth } from '@/app/_kit/next-auth-client';
import { toast } from '@/app/_kit/toast';
import { leaveSignedOut } from '@/app/_kit/unsaved-changes';
import { openFrameOverlay } from './frame-overlay';

/**
 * Ends this browser's session and opens the sign-in page, which says why. Unsaved drafts of this account are deleted from the
 * browser.
 *
 * @param userId null if no one could have typed anything
 */
export async function signOutHere(userId: string | null): Promise<void> {
  try {
    await callNextAuth('signout', {});
  } catch {
    toast.error('Couldn’t sign out: the server could not be reached. Try again.');
    return;
  }
  if (userId !== null) closeDrafts(userId);
  leaveSignedOut('/sign-in?notice=signed-out');
}

/** Signs out of this browser; asks first if drafts would be deleted. */
export function useSignOut(): () => void {
  const userId = useDraftScope()?.userId ?? null;
  return () => {
    if (userId !== null && countDrafts(userId) > 0) openFrameOverlay('sign-out');
    else void signOutHere(userId);
  };
}
