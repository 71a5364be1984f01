import { callNextAuth } from '@/app/_components/next-auth-client';
import { toast } from '@/app/_components/toast';

/** Ends the session of this browser and leads to signing in, which says why. */
export async function signOutHere(): Promise<void> {
  try {
    await callNextAuth('signout', {});
    window.location.assign('/sign-in?notice=signed-out');
  } catch {
    toast.error('Signing out failed: the server could not be reached. Try again.');
  }
}
