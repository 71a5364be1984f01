'use client';

import { useTRPCClient } from '@/app/_trpc/client';
import { MailedLink } from '../../_components/mailed-link';
import { SignInForm } from '../../sign-in/_components/sign-in-form';
import { AcceptInvitation } from './accept-invitation';
import { type InvitationInUse, invitationLead, type SignedIn } from './invitation-in-use';
import { JoinCard } from './join-card';
import { OtherAccount } from './other-account';

interface InvitationProps {
  user: SignedIn;
  /** The only origin where passkeys work; null if nowhere. */
  passkeyOrigin: string | null;
  /** Why single sign-on did not work. */
  problem: string | undefined;
}

/** Shows what the link invites to, and the way to accept for who opened it. */
export function Invitation({ user, passkeyOrigin, problem }: InvitationProps) {
  const client = useTRPCClient();
  return (
    <MailedLink
      title="Invitation"
      read={(token) => client.invitations.read.mutate({ token })}
      // Accepting opens the dashboard.
      done={({ business }) => ({
        title: 'Invitation declined',
        lead: `You won’t join ${business}. If you change your mind, ask for a new invitation.`,
        ...(user ? { href: '/', label: 'Go to dashboard' } : { href: '/sign-in', label: 'Sign in' }),
      })}
      over={{
        lead: 'Invitations work once and expire after 7 days, and a new one replaces the old one. Check that you copied the whole link, or ask for a new invitation.',
        ...(user ? { href: '/', label: 'Go to dashboard' } : { href: '/sign-in', label: 'Sign in' }),
      }}
    >
      {(use) => <InvitationCard use={use} user={user} passkeyOrigin={passkeyOrigin} problem={problem} />}
    </MailedLink>
  );
}

function InvitationCard({ use, user, passkeyOrigin, problem }: InvitationProps & { use: InvitationInUse }) {
  const { link, token } = use;
  if (user?.email === link.email) return <AcceptInvitation {...use} />;
  if (user) return <OtherAccount {...use} user={user} />;
  if (!link.hasAccount) return <JoinCard {...use} problem={problem} />;
  return (
    <SignInForm
      email={link.email}
      passkeyOrigin={passkeyOrigin}
      problem={problem}
      // The address must differ from this one, or the browser would not reload the page.
      destination={`/invitation?signed-in=1#${token}`}
      notice={`${invitationLead(link)} Sign in as ${link.email} to answer.`}
    />
  );
}
