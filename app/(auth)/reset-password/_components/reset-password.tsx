'use client';

import { useTRPCClient } from '@/app/_trpc/client';
import { MailedLink } from '../../_components/mailed-link';
import { NewPasswordForm } from './new-password-form';

/** Sets a new password for the person who got the link by mail. It signs no one in. */
export function ResetPassword() {
  const client = useTRPCClient();
  return (
    <MailedLink
      title="Set a new password"
      read={(token) => client.recovery.readPasswordLink.mutate({ token })}
      done={() => ({
        title: 'Password changed',
        lead: 'All browsers were signed out. Sign in with the new password.',
        href: '/sign-in',
        label: 'Sign in',
      })}
      over={{
        lead: 'A link works once and for an hour, and a newer one replaces it. Check that the whole link was copied, or ask for a new one.',
        href: '/forgot-password',
        label: 'Get a new link',
      }}
    >
      {(use) => <NewPasswordForm {...use} />}
    </MailedLink>
  );
}
