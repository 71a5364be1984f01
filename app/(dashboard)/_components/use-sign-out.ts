'use client';

import { useDraftScope } from '@/app/_kit/draft-scope';
import { countDrafts } from '@/app/_kit/draft-store';
import { openFrameOverlay } from './frame-overlay';
import { signOutHere } from './sign-out';

/** Signs out of this browser; asks first where drafts would be deleted. */
export function useSignOut(): () => void {
  const userId = useDraftScope()?.userId ?? null;
  return () => {
    if (userId !== null && countDrafts(userId) > 0) openFrameOverlay('sign-out');
    else void signOutHere(userId);
  };
}
