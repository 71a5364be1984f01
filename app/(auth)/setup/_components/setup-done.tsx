import { ButtonLink } from '@/app/_components/button-link';
import { NewKey } from '@/app/_components/new-key';

/** The end of the setup: the first key, and the way into the dashboard. */
export function SetupDone({ issuedKey, isSignedIn }: { issuedKey: string; isSignedIn: boolean }) {
  return (
    <section className="rounded-lg border border-border bg-surface p-6">
      <h1 className="text-title font-semibold tracking-tight">Frontdesk is ready</h1>
      <p className="mt-1 mb-5 text-muted">
        {isSignedIn ? 'You are signed in.' : 'Your account exists; sign in to go on.'} This is your first API key, for programs
        that work with your customers:
      </p>
      <NewKey value={issuedKey} />
      <div className="mt-6 flex justify-end">
        <ButtonLink variant="primary" href={isSignedIn ? '/' : '/sign-in'} prefetch={false}>
          {isSignedIn ? 'Open the dashboard' : 'Sign in'}
        </ButtonLink>
      </div>
    </section>
  );
}
