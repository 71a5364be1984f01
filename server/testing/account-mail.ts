import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';

interface WaitingMail {
  kind: string;
  subject: string;
  text: string;
}

/** Queued mail to an account holder, oldest first. Needs SMTP_URL: without it there is none. */
export function accountMailsTo(email: string): Promise<WaitingMail[]> {
  return rows<WaitingMail>(pool(), {
    text: `SELECT kind, subject, mail ->> 'text' AS text FROM outbox_mails
      WHERE identity_id IS NULL AND recipients = ARRAY[$1] ORDER BY id`,
    values: [email],
  });
}

/** The token of the link in the latest mail of a kind. */
export async function mailedToken(email: string, kind: string): Promise<string> {
  const mail = (await accountMailsTo(email)).filter((each) => each.kind === kind).at(-1);
  const token = /#(\S+)/.exec(mail?.text ?? '')?.[1];
  if (token === undefined) throw new Error(`No link of ${kind} was mailed to ${email}.`);
  return token;
}
