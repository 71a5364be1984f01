import type { AccountNotices, KeyName, PasswordChange } from './account-notices.copy';

const noAction = 'Wenn Sie das waren, müssen Sie nichts tun.';

const reviewSignIn = (resetUrl: string) =>
  `Wenn nicht, legen Sie jetzt ein neues Passwort fest, und prüfen Sie danach Ihre Sitzungen und Ihre Anmeldung: ${resetUrl}`;

const changedBy: Record<PasswordChange, string> = {
  settings: 'wurde in den Einstellungen geändert. Alle anderen Browser wurden abgemeldet',
  link: 'wurde über einen Link festgelegt, der an diese Adresse ging. Alle Browser wurden abgemeldet',
  operator: 'wurde von Ihrer Administration festgelegt. Alle Browser wurden abgemeldet',
};

const named = ({ name, prefix, last4 }: KeyName) => `„${name}“ (${prefix}…${last4})`;

const revokeKey = (keysUrl: string) => `Wenn nicht, widerrufen Sie ihn, und ändern Sie Ihr Passwort: ${keysUrl}`;

const disabledBecause = {
  failing: 'weil die Zustellung seit fünf Tagen scheitert',
  gone: 'weil sein Server geantwortet hat, dass es ihn nicht mehr gibt (410)',
};

/** In German. */
export const de: AccountNotices = {
  confirmEmail: ({ email, url }) => [
    'Bestätigen Sie Ihre E-Mail-Adresse',
    `Jemand, vermutlich Sie selbst, möchte sich mit ${email} bei Frontdesk anmelden. Öffnen Sie zur Bestätigung innerhalb von 24 Stunden diesen Link:`,
    url,
    'Der Link funktioniert einmal, in einem Browser, in dem Sie angemeldet sind. Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Es ändert sich dann nichts.',
  ],
  addressInUse: ({ email, signInUrl, resetUrl }) => [
    'Ihre E-Mail-Adresse wird bereits verwendet',
    `Jemand wollte die E-Mail-Adresse eines Frontdesk-Kontos in ${email} ändern. Sie gehört bereits zu einem anderen Konto, deshalb wurde nichts geändert.`,
    `Wenn Sie das waren, melden Sie sich stattdessen als ${email} an: ${signInUrl}`,
    `Wenn Sie Ihr Passwort vergessen haben, legen Sie ein neues fest: ${resetUrl}`,
  ],
  emailChangeRequested: ({ current, wanted, resetUrl }) => [
    'Ihre E-Mail-Adresse soll geändert werden',
    `Jemand, der als ${current} angemeldet ist, möchte die E-Mail-Adresse des Kontos in ${wanted} ändern. Sie ändert sich, sobald der dorthin gesendete Link geöffnet wird.`,
    noAction,
    `Wenn nicht, legen Sie jetzt ein neues Passwort fest. Das bricht die Änderung ab und beendet alle Sitzungen: ${resetUrl}`,
  ],
  emailChanged: ({ former, current }) => [
    'Ihre E-Mail-Adresse wurde geändert',
    `Die Anmeldung beim Frontdesk-Konto ${former} erfolgt jetzt als ${current}. Alle anderen Browser wurden abgemeldet.`,
    noAction,
    'Wenn nicht, kennt jemand anderes Ihr Passwort. Bitten Sie Ihre Administration sofort, Ihr Konto wiederherzustellen.',
  ],
  resetPassword: ({ email, url }) => [
    'Legen Sie ein neues Passwort fest',
    `Jemand, vermutlich Sie selbst, möchte das Passwort des Frontdesk-Kontos ${email} zurücksetzen. Legen Sie innerhalb einer Stunde ein neues fest:`,
    url,
    'Der Link funktioniert einmal. Wenn Sie das nicht angefordert haben, ignorieren Sie diese E-Mail. Ihr Passwort bleibt, wie es ist.',
  ],
  passwordChanged: ({ email, change, resetUrl }) => [
    'Ihr Passwort wurde geändert',
    `Das Passwort des Frontdesk-Kontos ${email} ${changedBy[change]}.`,
    noAction,
    `Wenn nicht, legen Sie jetzt ein neues Passwort fest, und prüfen Sie danach Ihre Sitzungen und API-Schlüssel: ${resetUrl}`,
  ],
  singleSignOnConnected: ({ email, provider, providerEmail, resetUrl }) => [
    'Single Sign-on wurde verbunden',
    `Das Konto ${providerEmail ? `${providerEmail} ` : ''}bei ${provider} meldet jetzt bei Ihrem Frontdesk-Konto ${email} an.`,
    noAction,
    reviewSignIn(resetUrl),
  ],
  singleSignOnDisconnected: ({ email, provider, resetUrl }) => [
    'Single Sign-on wurde getrennt',
    `Ihr Konto bei ${provider} meldet nicht mehr bei Ihrem Frontdesk-Konto ${email} an. Alle anderen Browser wurden abgemeldet.`,
    noAction,
    reviewSignIn(resetUrl),
  ],
  keyCreated: ({ business, key, keysUrl }) => [
    'Ein API-Schlüssel wurde erstellt',
    `${business} hat einen neuen API-Schlüssel: ${named(key)}. Apps, die ihn haben, können alle Daten dieses Unternehmens lesen und ändern.`,
    noAction,
    revokeKey(keysUrl),
  ],
  keyReplaced: ({ business, key, keysUrl }) => [
    'Ein API-Schlüssel wurde ersetzt',
    `Ein API-Schlüssel von ${business} wurde durch einen neuen ersetzt: ${named(key)}.`,
    noAction,
    revokeKey(keysUrl),
  ],
  addressAdded: ({ business, address, profileUrl }) => [
    'Eine E-Mail-Adresse wurde hinzugefügt',
    `${address} wurde zu den E-Mail-Adressen von ${business} hinzugefügt.`,
    noAction,
    `Wenn nicht, entfernen Sie sie, und ändern Sie Ihr Passwort: ${profileUrl}`,
  ],
  webhookFailing: ({ business, url, webhooksUrl }) => [
    'Ein Webhook ist nicht erreichbar',
    `Seit 24 Stunden scheitert die Zustellung an einen Webhook von ${business}: ${url}`,
    'Jedes Ereignis wird etwa drei Tage lang erneut zugestellt. Nach fünf Tagen ohne Erfolg wird der Webhook deaktiviert.',
    `Hier sehen Sie, warum die Versuche scheitern: ${webhooksUrl}`,
  ],
  webhookDisabled: ({ business, url, reason, webhooksUrl }) => [
    'Ein Webhook wurde deaktiviert',
    `Ein Webhook von ${business} wurde deaktiviert, ${disabledBecause[reason]}: ${url}`,
    `Er erhält keine Ereignisse mehr. Aktivieren Sie ihn wieder, sobald er funktioniert, und holen Sie nach, was er verpasst hat: ${webhooksUrl}`,
  ],
  businessDeleted: ({ business, resetUrl }) => [
    'Ein Unternehmen wurde gelöscht',
    `${business} wurde mit allen Daten gelöscht.`,
    noAction,
    `Wenn nicht, legen Sie ein neues Passwort fest, und bitten Sie Ihre Administration um eine Sicherung: ${resetUrl}`,
  ],
};
