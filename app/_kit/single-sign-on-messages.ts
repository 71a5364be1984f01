import type { SingleSignOnRefusal } from '@/server/features/accounts/oidc.schema';
import { toast } from './toast';

/** Why single sign-on did not work, and what to do. */
const messages: Record<SingleSignOnRefusal, string> = {
  state: 'Single sign-on took too long or was started in another browser. Try again.',
  nonce: 'The single sign-on provider’s response was for another request. Try again.',
  token: 'The single sign-on provider’s response isn’t valid. Try again, or ask your administrator.',
  provider: 'The single sign-on provider isn’t available. Try again in a minute.',
  denied: 'Single sign-on was canceled, or your provider refused it.',
  domain: 'Your email address may not sign in here. Your provider has to confirm an address of an allowed domain.',
  not_linked:
    'There is an account with your email. Sign in with your password, then connect single sign-on under Settings → Sign-in.',
  invitation:
    'No account is connected to this single sign-on. If you have one, sign in with your password and connect it under Settings → Sign-in. If not, ask for an invitation.',
  unverified: 'Your provider hasn’t confirmed your email address, so you can’t join with it.',
  invitation_other: 'This invitation is for another email address than the one your provider confirms.',
  invitation_over: 'This invitation no longer works. Ask for a new one.',
  join: 'You could not be added to the team. Ask your administrator.',
  taken: 'This single sign-on account is connected to another Frontdesk account.',
  connected: 'Another single sign-on account is connected already. Disconnect it first.',
  session: 'You’re signed in with another session now. Try again.',
  other_account: 'This isn’t the single sign-on account that is connected to yours.',
  stale: 'Your provider didn’t ask you to sign in again. Sign out of Frontdesk and sign in again instead.',
  throttled: 'Too many attempts from your network. Try again in a few minutes.',
};

const successes: Record<string, string> = {
  done_connect: 'Single sign-on is connected',
  done_confirm: 'Confirmed. You can go on now; you won’t be asked again for 10 minutes.',
};

/** Shows how a visit to the provider went. */
export function showSingleSignOnResult(result: string): void {
  const success = Object.hasOwn(successes, result) ? successes[result] : undefined;
  if (success) toast.success(success);
  else toast.error(singleSignOnProblem(`sso_${result}`) ?? 'Single sign-on did not work.');
}

/** The text for an `error` of the sign-in page; undefined for one of something else. */
export function singleSignOnProblem(error: string | undefined): string | undefined {
  const reason = error?.startsWith('sso_') ? error.slice(4) : '';
  return Object.hasOwn(messages, reason) ? messages[reason as SingleSignOnRefusal] : undefined;
}
