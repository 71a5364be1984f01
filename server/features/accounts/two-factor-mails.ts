import type pg from 'pg';
import type { PrismaTransaction } from '@/server/platform/db/transaction';
import { publicUrl } from '@/server/platform/env';
import { type Language, languageOf } from '@/server/platform/languages.schema';
import { type Notice, plainNotice, type Recipient } from '../outbox/account-copy.service';
import { sendAccountMail } from '../outbox/account-mail.service';

/** What happened to the second factor of an account. */
export type TwoFactorChange = 'on' | 'app_off' | 'off' | 'reset' | 'recovery_codes';

/** The subject, what was done to the account, and what that means. */
interface Change {
  subject: string;
  done: (email: string) => string;
  what: string;
}

interface TwoFactorCopy {
  changes: Record<TwoFactorChange, Change>;
  /** A recovery code was used; `left` are still unused. */
  codeUsed: (left: number) => Change;
  /** What to do if someone else did it. */
  notYou: (settings: string) => string;
}

/** Few enough recovery codes to make new ones. */
const isLow = (left: number) => left <= 3;

/** Done to the account, in the words of the subject. */
const inEnglish = (subject: string, what: string): Change => ({
  ...{ subject, what },
  done: (email) => `${subject} for your Frontdesk account ${email}.`,
});

const inGerman = (subject: string, what: string): Change => ({
  ...{ subject, what },
  done: (email) => `Frontdesk-Konto ${email}: ${subject}.`,
});

const inFrench = (subject: string, what: string): Change => ({
  ...{ subject, what },
  done: (email) => `Compte Frontdesk ${email}\u00a0: ${subject[0]?.toLowerCase()}${subject.slice(1)}.`,
});

const inSpanish = (subject: string, what: string): Change => ({
  ...{ subject, what },
  done: (email) => `Cuenta de Frontdesk ${email}: ${subject[0]?.toLowerCase()}${subject.slice(1)}.`,
});

const copies: Record<Language, TwoFactorCopy> = {
  en: {
    changes: {
      on: inEnglish(
        'Two-factor sign-in was turned on',
        'Signing in now requires a code from your authenticator app. All other browsers were signed out.',
      ),
      app_off: inEnglish(
        'Your authenticator app was turned off',
        'Signing in with your password still asks for one of your passkeys or a recovery code. All other browsers were signed out.',
      ),
      off: inEnglish('Two-factor sign-in was turned off', 'Signing in now requires only your password.'),
      reset: inEnglish(
        'Two-factor sign-in was turned off by your administrator',
        'Your authenticator app and your passkeys were removed, and all browsers were signed out. Signing in now requires only your password. You can set both up again in Settings under Sign-in.',
      ),
      recovery_codes: inEnglish('New recovery codes were created', 'Your previous recovery codes no longer work.'),
    },
    codeUsed: (left) =>
      inEnglish(
        'A recovery code was used to sign in',
        `Each recovery code works once. ${left === 1 ? '1 is' : `${left} are`} left.${
          isLow(left) ? ' Create new ones in Settings under Sign-in before they run out.' : ''
        }`,
      ),
    notYou: (settings) =>
      `If this was you, no action is needed. If not, change your password at ${settings} and sign out any session you don’t recognize at ${settings}/sign-in.`,
  },
  de: {
    changes: {
      on: inGerman(
        'Die Zwei-Faktor-Anmeldung wurde eingeschaltet',
        'Zur Anmeldung ist jetzt ein Code aus Ihrer Authenticator-App nötig. Alle anderen Browser wurden abgemeldet.',
      ),
      app_off: inGerman(
        'Ihre Authenticator-App wurde ausgeschaltet',
        'Bei der Anmeldung mit dem Passwort wird weiterhin einer Ihrer Passkeys oder ein Wiederherstellungscode verlangt. Alle anderen Browser wurden abgemeldet.',
      ),
      off: inGerman('Die Zwei-Faktor-Anmeldung wurde ausgeschaltet', 'Zur Anmeldung genügt jetzt Ihr Passwort.'),
      reset: inGerman(
        'Die Zwei-Faktor-Anmeldung wurde von Ihrer Administration ausgeschaltet',
        'Ihre Authenticator-App und Ihre Passkeys wurden entfernt, und alle Browser wurden abgemeldet. Zur Anmeldung genügt jetzt Ihr Passwort. Sie können beides in den Einstellungen unter „Sign-in“ wieder einrichten.',
      ),
      recovery_codes: inGerman(
        'Neue Wiederherstellungscodes wurden erstellt',
        'Ihre bisherigen Wiederherstellungscodes funktionieren nicht mehr.',
      ),
    },
    codeUsed: (left) =>
      inGerman(
        'Ein Wiederherstellungscode wurde zur Anmeldung verwendet',
        `Jeder Wiederherstellungscode funktioniert einmal. ${left === 1 ? '1 ist' : `${left} sind`} noch übrig.${
          isLow(left) ? ' Erstellen Sie in den Einstellungen unter „Sign-in“ neue, bevor sie ausgehen.' : ''
        }`,
      ),
    notYou: (settings) =>
      `Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, ändern Sie Ihr Passwort unter ${settings}, und melden Sie unter ${settings}/sign-in jede Sitzung ab, die Sie nicht kennen.`,
  },
  fr: {
    changes: {
      on: inFrench(
        'La connexion à deux facteurs a été activée',
        'La connexion demande désormais un code de votre application d’authentification. Tous les autres navigateurs ont été déconnectés.',
      ),
      app_off: inFrench(
        'Votre application d’authentification a été désactivée',
        'La connexion par mot de passe demande toujours une de vos clés d’accès ou un code de récupération. Tous les autres navigateurs ont été déconnectés.',
      ),
      off: inFrench('La connexion à deux facteurs a été désactivée', 'Votre mot de passe suffit désormais pour vous connecter.'),
      reset: inFrench(
        'La connexion à deux facteurs a été désactivée par votre administrateur',
        'Votre application d’authentification et vos clés d’accès ont été supprimées, et tous les navigateurs ont été déconnectés. Votre mot de passe suffit désormais pour vous connecter. Vous pouvez les configurer à nouveau dans les paramètres, sous «\u202fSign-in\u202f».',
      ),
      recovery_codes: inFrench(
        'De nouveaux codes de récupération ont été créés',
        'Vos anciens codes de récupération ne fonctionnent plus.',
      ),
    },
    codeUsed: (left) =>
      inFrench(
        'Un code de récupération a été utilisé pour se connecter',
        `Chaque code de récupération fonctionne une seule fois. ${left <= 1 ? `Il en reste ${left}` : `Il vous en reste ${left}`}.${
          isLow(left) ? ' Créez-en de nouveaux dans les paramètres, sous «\u202fSign-in\u202f», avant de ne plus en avoir.' : ''
        }`,
      ),
    notYou: (settings) =>
      `Si c’était vous, vous n’avez rien à faire. Sinon, changez votre mot de passe sur ${settings} et déconnectez sur ${settings}/sign-in toute session que vous ne reconnaissez pas.`,
  },
  es: {
    changes: {
      on: inSpanish(
        'Se activó el inicio de sesión en dos pasos',
        'Para iniciar sesión ahora se necesita un código de su aplicación de autenticación. Se cerró la sesión en todos los demás navegadores.',
      ),
      app_off: inSpanish(
        'Se desactivó su aplicación de autenticación',
        'Al iniciar sesión con la contraseña se sigue pidiendo una de sus llaves de acceso o un código de recuperación. Se cerró la sesión en todos los demás navegadores.',
      ),
      off: inSpanish('Se desactivó el inicio de sesión en dos pasos', 'Ahora basta con su contraseña para iniciar sesión.'),
      reset: inSpanish(
        'Su administrador desactivó el inicio de sesión en dos pasos',
        'Se quitaron su aplicación de autenticación y sus llaves de acceso, y se cerró la sesión en todos los navegadores. Ahora basta con su contraseña para iniciar sesión. Puede configurar ambas de nuevo en la configuración, en «Sign-in».',
      ),
      recovery_codes: inSpanish(
        'Se crearon nuevos códigos de recuperación',
        'Sus códigos de recuperación anteriores ya no funcionan.',
      ),
    },
    codeUsed: (left) =>
      inSpanish(
        'Se usó un código de recuperación para iniciar sesión',
        `Cada código de recuperación funciona una sola vez. ${left === 1 ? 'Queda 1' : `Quedan ${left}`}.${
          isLow(left) ? ' Cree otros nuevos en la configuración, en «Sign-in», antes de que se agoten.' : ''
        }`,
      ),
    notYou: (settings) =>
      `Si fue usted, no tiene que hacer nada. Si no, cambie su contraseña en ${settings} y cierre en ${settings}/sign-in las sesiones que no reconozca.`,
  },
};

/** An email about a change of the second factor. */
export function twoFactorMail(language: Language, email: string, about: TwoFactorChange | { recoveryCodesLeft: number }): Notice {
  const copy = copies[language];
  const isCodeUsed = typeof about === 'object';
  const { subject, done, what } = isCodeUsed ? copy.codeUsed(about.recoveryCodesLeft) : copy.changes[about];
  const kind = isCodeUsed ? 'recovery_code_used' : `two_factor_${about}`;
  return plainNotice({ kind, language }, [subject, done(email), what, copy.notYou(`${publicUrl()}/settings`)]);
}

/** Notifies the account holder of a change of their second factor, if the transaction succeeds. */
export async function mailAboutTwoFactor(
  tx: pg.PoolClient | PrismaTransaction,
  account: Recipient,
  about: Parameters<typeof twoFactorMail>[2],
): Promise<void> {
  await sendAccountMail(tx, { to: account.email, ...twoFactorMail(languageOf(account), account.email, about) });
}
