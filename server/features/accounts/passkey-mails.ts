import type { PrismaTransaction } from '@/server/platform/db/transaction';
import { publicUrl } from '@/server/platform/env';
import { type Language, languageOf } from '@/server/platform/languages.schema';
import { type Copy, type Notice, plainNotice, type Recipient } from '../outbox/account-copy.service';
import { sendAccountMail } from '../outbox/account-mail.service';

/** What happened to a passkey. `first` is one that turned two-factor sign-in on, `last` one that turned it off. */
export type PasskeyChange = 'added' | 'first' | 'removed' | 'last';

interface PasskeyCopy {
  consequences: Record<PasskeyChange, string>;
  added: (about: { name: string; email: string; consequence: string; settings: string }) => Copy;
  removed: (about: { name: string; email: string; consequence: string; settings: string }) => Copy;
}

const copies: Record<Language, PasskeyCopy> = {
  en: {
    consequences: {
      added: 'It can be used to sign in instead of your password.',
      first:
        'It can be used to sign in instead of your password. Signing in with your password now also asks for a passkey. All other browsers were signed out.',
      removed: 'It can no longer be used to sign in. All other browsers were signed out.',
      last: 'It can no longer be used to sign in. Signing in now requires only your password. All other browsers were signed out.',
    },
    added: ({ name, email, consequence, settings }) => [
      'A passkey was added to your account',
      `The passkey “${name}” was added to your Frontdesk account ${email}.`,
      consequence,
      `If this was you, no action is needed. If not, remove it at ${settings}/sign-in and change your password at ${settings}.`,
    ],
    removed: ({ name, email, consequence, settings }) => [
      'A passkey was removed from your account',
      `The passkey “${name}” was removed from your Frontdesk account ${email}.`,
      consequence,
      `If this was you, no action is needed. If not, change your password at ${settings}.`,
    ],
  },
  de: {
    consequences: {
      added: 'Er kann statt Ihres Passworts zur Anmeldung verwendet werden.',
      first:
        'Er kann statt Ihres Passworts zur Anmeldung verwendet werden. Bei der Anmeldung mit dem Passwort wird jetzt zusätzlich ein Passkey verlangt. Alle anderen Browser wurden abgemeldet.',
      removed: 'Er kann nicht mehr zur Anmeldung verwendet werden. Alle anderen Browser wurden abgemeldet.',
      last: 'Er kann nicht mehr zur Anmeldung verwendet werden. Zur Anmeldung genügt jetzt Ihr Passwort. Alle anderen Browser wurden abgemeldet.',
    },
    added: ({ name, email, consequence, settings }) => [
      'Ein Passkey wurde zu Ihrem Konto hinzugefügt',
      `Der Passkey „${name}“ wurde zu Ihrem Frontdesk-Konto ${email} hinzugefügt.`,
      consequence,
      `Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, entfernen Sie ihn unter ${settings}/sign-in, und ändern Sie Ihr Passwort unter ${settings}.`,
    ],
    removed: ({ name, email, consequence, settings }) => [
      'Ein Passkey wurde aus Ihrem Konto entfernt',
      `Der Passkey „${name}“ wurde aus Ihrem Frontdesk-Konto ${email} entfernt.`,
      consequence,
      `Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, ändern Sie Ihr Passwort unter ${settings}.`,
    ],
  },
  fr: {
    consequences: {
      added: 'Elle permet de se connecter à la place de votre mot de passe.',
      first:
        'Elle permet de se connecter à la place de votre mot de passe. La connexion par mot de passe demande désormais aussi une clé d’accès. Tous les autres navigateurs ont été déconnectés.',
      removed: 'Elle ne permet plus de se connecter. Tous les autres navigateurs ont été déconnectés.',
      last: 'Elle ne permet plus de se connecter. Votre mot de passe suffit désormais pour vous connecter. Tous les autres navigateurs ont été déconnectés.',
    },
    added: ({ name, email, consequence, settings }) => [
      'Une clé d’accès a été ajoutée à votre compte',
      `La clé d’accès «\u202f${name}\u202f» a été ajoutée à votre compte Frontdesk ${email}.`,
      consequence,
      `Si c’était vous, vous n’avez rien à faire. Sinon, supprimez-la sur ${settings}/sign-in et changez votre mot de passe sur ${settings}.`,
    ],
    removed: ({ name, email, consequence, settings }) => [
      'Une clé d’accès a été supprimée de votre compte',
      `La clé d’accès «\u202f${name}\u202f» a été supprimée de votre compte Frontdesk ${email}.`,
      consequence,
      `Si c’était vous, vous n’avez rien à faire. Sinon, changez votre mot de passe sur ${settings}.`,
    ],
  },
  es: {
    consequences: {
      added: 'Permite iniciar sesión en lugar de su contraseña.',
      first:
        'Permite iniciar sesión en lugar de su contraseña. Al iniciar sesión con la contraseña, ahora también se pide una llave de acceso. Se cerró la sesión en todos los demás navegadores.',
      removed: 'Ya no permite iniciar sesión. Se cerró la sesión en todos los demás navegadores.',
      last: 'Ya no permite iniciar sesión. Ahora basta con su contraseña. Se cerró la sesión en todos los demás navegadores.',
    },
    added: ({ name, email, consequence, settings }) => [
      'Se añadió una llave de acceso a su cuenta',
      `La llave de acceso «${name}» se añadió a su cuenta de Frontdesk ${email}.`,
      consequence,
      `Si fue usted, no tiene que hacer nada. Si no, quítela en ${settings}/sign-in y cambie su contraseña en ${settings}.`,
    ],
    removed: ({ name, email, consequence, settings }) => [
      'Se quitó una llave de acceso de su cuenta',
      `La llave de acceso «${name}» se quitó de su cuenta de Frontdesk ${email}.`,
      consequence,
      `Si fue usted, no tiene que hacer nada. Si no, cambie su contraseña en ${settings}.`,
    ],
  },
};

/** An email about a passkey that was added or removed. */
export function passkeyMail(
  language: Language,
  email: string,
  { name, change }: { name: string; change: PasskeyChange },
): Notice {
  const copy = copies[language];
  const isAdded = change === 'added' || change === 'first';
  const about = { name, email, consequence: copy.consequences[change], settings: `${publicUrl()}/settings` };
  const kind = isAdded ? 'passkey_added' : 'passkey_removed';
  return plainNotice({ kind, language }, isAdded ? copy.added(about) : copy.removed(about));
}

/** Notifies the account holder of a passkey that was added or removed, if the transaction succeeds. */
export async function mailAboutPasskey(
  tx: PrismaTransaction,
  account: Recipient,
  about: { name: string; change: PasskeyChange },
): Promise<void> {
  await sendAccountMail(tx, { to: account.email, ...passkeyMail(languageOf(account), account.email, about) });
}
