'use client';

import { useMutation } from '@tanstack/react-query';
import { ButtonLink } from '@/app/_kit/button-link';
import { errorFacts } from '@/app/_kit/error-facts';
import { FormError } from '@/app/_kit/form-error';
import { PendingButton } from '@/app/_kit/pending-button';
import { useTRPC, useTRPCClient } from '@/app/_trpc/client';
import type { EmailLink } from '@/server/features/accounts/account.schema';
import { AuthCard } from '../../_components/auth-card';
import { type LinkInUse, MailedLink, useLinkToken } from '../../_components/mailed-link';
import { SignInForm } from '../../sign-in/_components/sign-in-form';

/** Shows what the mailed link does, and does it on request. */
export function ConfirmEmail() {
  const client = useTRPCClient();
  return (
    <MailedLink
      title="Confirm your email"
      read={(token) => client.account.readEmailLink.mutate({ token })}
      done={({ email }) => ({
        title: 'Email confirmed',
        lead: <span className="break-words">You now sign in as {email}.</span>,
        href: '/',
        label: 'Go to dashboard',
      })}
      over={{
        lead: 'Links work once and expire after 24 hours, and a new link replaces the old one. Check which account you’re signed in to, or request a new link in Settings.',
        href: '/settings',
        label: 'Open settings',
      }}
    >
      {(use) => <ConfirmCard {...use} />}
    </MailedLink>
  );
}

function ConfirmCard({ link: { email, currentEmail }, token, onDone, onExpired }: LinkInUse<EmailLink>) {
  const trpc = useTRPC();
  const confirm = useMutation(
    trpc.account.confirmEmail.mutationOptions({
      onSuccess: onDone,
      onError: (error) => {
        if (errorFacts(error).code === 'not_found') onExpired();
      },
    }),
  );
  return (
    <AuthCard
      title="Confirm your email"
      lead={
        email === currentEmail ? (
          <span className="break-words">This confirms that {email} is yours.</span>
        ) : (
          <span className="break-words">
            You will sign in as {email} instead of {currentEmail}. You’ll be signed out on other devices.
          </span>
        )
      }
    >
      <FormError failure={confirm.error && errorFacts(confirm.error)} />
      <PendingButton variant="primary" fullWidth isPending={confirm.isPending} onPress={() => confirm.mutate({ token })}>
        Confirm email
      </PendingButton>
      <ButtonLink href="/settings" prefetch={false} className="w-full">
        Not now
      </ButtonLink>
    </AuthCard>
  );
}

/** Signs in and returns to this page with the link's token, which only the browser knows. */
export function SignInToConfirm({ passkeyOrigin }: { passkeyOrigin: string | null }) {
  const token = useLinkToken() ?? '';
  // The address must differ from this one, or the browser would not reload the page.
  return (
    <SignInForm
      destination={`/confirm-email?signed-in=1#${token}`}
      notice="Sign in with your current email to confirm the new one."
      passkeyOrigin={passkeyOrigin}
    />
  );
}
