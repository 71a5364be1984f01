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
    what: 'Signing in now requires a code from your authenticator app. All other browsers were signed out.',
  },
  off: {
    subject: 'Two-factor sign-in was turned off',
    what: 'Signing in now requires only your password.',
  },
  reset: {
    subject: 'Two-factor sign-in was turned off by your administrator',
    what: 'Signing in now requires only your password. All browsers were signed out. You can turn two-factor sign-in on again in Settings under Security.',
  },
  recovery_codes: {
    subject: 'New recovery codes were created',
    what: 'Your previous recovery codes no longer work.',
  },
} satisfies Record<string, Notice>;

/** A recovery code was used; `left` are still unused. */
function recoveryCodeNotice(left: number): Notice {
  const hint = left <= 3 ? ' Create new ones in Settings under Security before they run out.' : '';
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
    `If this was you, no action is needed. If not, change your password at ${settings} and sign out any session you don’t recognize at ${settings}/sessions.`,
  ].join('\n\n');
  await sendAccountMail(tx, { to: email, subject, text, kind: isCodeUsed ? 'recovery_code_used' : `two_factor_${about}` });
}
