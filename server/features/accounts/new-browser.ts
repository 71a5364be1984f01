import { hasSessionEntry } from '@/server/features/audit/audit.service';
import type { PrismaTransaction } from '@/server/platform/db/transaction';
import { publicUrl } from '@/server/platform/env';
import { sendAccountMail } from '../outbox/account-mail.service';
import { describeUserAgent } from './user-agent';

interface AccountRow {
  email: string;
  isNew: boolean;
}

/** `Firefox on Windows`, as far as the user agent says. */
function browserName(userAgent: string): string {
  const { browser, system } = describeUserAgent(userAgent);
  return `${browser ?? 'A browser'}${system ? ` on ${system}` : ''}`;
}

/** Notifies the account holder of a sign-in from a new browser, if the transaction succeeds. */
export async function mailAboutNewBrowser(
  tx: PrismaTransaction,
  userId: string,
  { userAgent, address }: { userAgent: string; address: string },
): Promise<void> {
  const [account] = await tx.$queryRaw<AccountRow[]>`SELECT email, created_at > now() - interval '1 day' AS "isNew"
    FROM users WHERE id = ${userId}::uuid`;
  // Before the first sign-in, every browser is new.
  if (!account || (account.isNew && !(await hasSessionEntry(tx, userId)))) return;
  const { email } = account;
  const settings = `${publicUrl()}/settings`;
  const at = new Date().toISOString().slice(0, 16).replace('T', ' ');
  const text = [
    `${browserName(userAgent)} signed in to your Frontdesk account ${email} for the first time.`,
    `Time: ${at} UTC\nIP address: ${address}`,
    `If this was you, no action is needed. If not, change your password at ${settings} and sign out the session at ${settings}/sessions.`,
  ].join('\n\n');
  await sendAccountMail(tx, { to: email, subject: 'A new browser signed in to your account', text, kind: 'new_browser' });
}
