import { hasSessionEntry } from '@/server/features/audit/audit.service';
import { networkOf } from '@/server/platform/auth/client-network';
import type { PrismaTransaction } from '@/server/platform/db/transaction';
import { publicUrl } from '@/server/platform/env';
import { type Language, languageOf } from '@/server/platform/languages.schema';
import { type Copy, type Notice, plainNotice, type Recipient, writtenTime } from '../outbox/account-copy.service';
import { sendHourlyMail } from '../outbox/account-mail.service';
import { type BrowserName, describeUserAgent } from './user-agent';

interface AccountRow extends Recipient {
  timeZone: string | null;
  isNew: boolean;
}

interface SignIn {
  email: string;
  /** As far as the user agent says. */
  browser: BrowserName;
  at: string;
  address: string;
  settings: string;
}

const copies: Record<Language, (about: SignIn) => Copy> = {
  en: ({ email, browser: { browser, system }, at, address, settings }) => [
    'A new browser signed in to your account',
    `${browser ?? 'A browser'}${system ? ` on ${system}` : ''} signed in to your Frontdesk account ${email} for the first time.`,
    `Time: ${at}\nIP address: ${address}`,
    `If this was you, no action is needed. If not, change your password at ${settings} and sign out the session at ${settings}/sign-in.`,
  ],
  de: ({ email, browser: { browser, system }, at, address, settings }) => [
    'Ein neuer Browser wurde bei Ihrem Konto angemeldet',
    `${browser ?? 'Ein Browser'}${system ? ` unter ${system}` : ''} wurde zum ersten Mal bei Ihrem Frontdesk-Konto ${email} angemeldet.`,
    `Zeit: ${at}\nIP-Adresse: ${address}`,
    `Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, ändern Sie Ihr Passwort unter ${settings}, und melden Sie die Sitzung unter ${settings}/sign-in ab.`,
  ],
  fr: ({ email, browser: { browser, system }, at, address, settings }) => [
    'Un nouveau navigateur s’est connecté à votre compte',
    `${browser ?? 'Un navigateur'}${system ? ` sous ${system}` : ''} s’est connecté pour la première fois à votre compte Frontdesk ${email}.`,
    `Heure\u00a0: ${at}\nAdresse IP\u00a0: ${address}`,
    `Si c’était vous, vous n’avez rien à faire. Sinon, changez votre mot de passe sur ${settings} et déconnectez la session sur ${settings}/sign-in.`,
  ],
  es: ({ email, browser: { browser, system }, at, address, settings }) => [
    'Un navegador nuevo inició sesión en su cuenta',
    `${browser ?? 'Un navegador'}${system ? ` en ${system}` : ''} inició sesión por primera vez en su cuenta de Frontdesk ${email}.`,
    `Hora: ${at}\nDirección IP: ${address}`,
    `Si fue usted, no tiene que hacer nada. Si no, cambie su contraseña en ${settings} y cierre la sesión en ${settings}/sign-in.`,
  ],
};

/** An email about a sign-in from a new browser, with the time in the zone of the person. */
export function newBrowserMail(
  { email, timeZone, ...account }: Omit<AccountRow, 'isNew'>,
  { userAgent, address, at }: { userAgent: string; address: string; at: Date },
): Notice {
  const language = languageOf(account);
  const about = { email, browser: describeUserAgent(userAgent), address, settings: `${publicUrl()}/settings` };
  return plainNotice({ kind: 'new_browser', language }, copies[language]({ ...about, at: writtenTime(language, at, timeZone) }));
}

/** Notifies the account holder of a sign-in from a new browser, if the transaction succeeds; once an hour of one browser and network. */
export async function mailAboutNewBrowser(
  tx: PrismaTransaction,
  userId: string,
  { userAgent, address }: { userAgent: string; address: string },
): Promise<void> {
  const [account] = await tx.$queryRaw<AccountRow[]>`SELECT email, language, time_zone AS "timeZone",
      created_at > now() - interval '1 day' AS "isNew" FROM users WHERE id = ${userId}::uuid FOR NO KEY UPDATE`;
  // Before the first sign-in, every browser is new.
  if (!account || (account.isNew && !(await hasSessionEntry(tx, userId)))) return;
  const { browser, system } = describeUserAgent(userAgent);
  const cause = `${browser} ${system} ${networkOf(address)}`;
  await sendHourlyMail(tx, { to: account.email, ...newBrowserMail(account, { userAgent, address, at: new Date() }) }, cause);
}
