import { ButtonLink } from '@/app/_kit/button-link';
import { NewKey } from '@/app/_kit/new-key';
import { AuthCard } from '../../_components/auth-card';

/** The end of the setup: the first key, and the way into the dashboard. */
export function SetupDone({ issuedKey, isSignedIn }: { issuedKey: string; isSignedIn: boolean }) {
  return (
    <AuthCard
      title="Frontdesk is ready"
      lead={`${isSignedIn ? 'You are signed in.' : 'Your account exists; sign in to go on.'} This is your first API key, for programs that work with your customers:`}
    >
      <NewKey value={issuedKey} />
      <div className="mt-2 flex justify-end">
        <ButtonLink variant="primary" href={isSignedIn ? '/' : '/sign-in'} prefetch={false}>
          {isSignedIn ? 'Open the dashboard' : 'Sign in'}
        </ButtonLink>
      </div>
    </AuthCard>
  );
}
