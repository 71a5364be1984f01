import { toast } from 'sonner';
import { callNextAuth } from '@/app/_components/next-auth-client';

/** Ends the session of this browser and leads to signing in, which says why. */
export async function signOutHere(notice: 'signed-out' | 'password-changed'): Promise<void> {
  try {
    await callNextAuth('signout', {});
    window.location.assign(`/sign-in?notice=${notice}`);
  } catch {
    toast.error('Signing out failed: the server could not be reached. Try again.');
  }
}
