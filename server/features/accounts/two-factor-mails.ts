import type pg from 'pg';
import type { PrismaTransaction } from '@/server/platform/db/transaction';
import { publicUrl } from '@/server/platform/env';
import { sendAccountMail } from '../outbox/account-mail.service';

/** What happened, and what to do if someone else did it. */
interface Notice {
  subject: string;
  what: string;
}

const notices = {
  on: {
    subject: 'Two-factor sign-in was turned on',
    what: 'Signing in needs a code from your authenticator app from now on. All other browsers were signed out.',
  },
  off: {
    subject: 'Two-factor sign-in was turned off',
    what: 'Signing in needs only your password from now on.',
  },
  reset: {
    subject: 'Two-factor sign-in was turned off by the operator',
    what: 'Signing in needs only your password from now on. All browsers were signed out. You can turn two-factor sign-in on again in the settings.',
  },
  recovery_codes: {
    subject: 'New recovery codes were made',
    what: 'The recovery codes you had before no longer work.',
  },
} satisfies Record<string, Notice>;

/** A recovery code was used; `left` are still unused. */
function recoveryCodeNotice(left: number): Notice {
  const hint = left <= 3 ? ' Make new ones in the settings under Security before they run out.' : '';
  return {
    subject: 'A recovery code was used to sign in',
    what: `Each recovery code works once. ${left === 1 ? '1 is' : `${left} are`} left.${hint}`,
  };
}

/** Notifies the account holder of a change of their second factor, if the transaction succeeds. */
export async function mailAboutTwoFactor(
  tx: pg.PoolClient | PrismaTransaction,
  email: string,
  about: keyof typeof notices | { recoveryCodesLeft: number },
): Promise<void> {
  const isCodeUsed = typeof about === 'object';
  const { subject, what } = isCodeUsed ? recoveryCodeNotice(about.recoveryCodesLeft) : notices[about];
  const settings = `${publicUrl()}/settings`;
  const text = [
    `${subject} for your Frontdesk account ${email}.`,
    what,
    `If this was you, there is nothing to do. If it was not, change your password at ${settings} and end the sessions you don’t recognise at ${settings}/sessions.`,
  ].join('\n\n');
  await sendAccountMail(tx, { to: email, subject, text, kind: isCodeUsed ? 'recovery_code_used' : `two_factor_${about}` });
}
