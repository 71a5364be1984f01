import { describe, expect, test } from 'vitest';
import { overrideEnv } from '@/server/platform/env';
import { type Language, languages } from '@/server/platform/languages.schema';
import { newBrowserMail } from '../accounts/new-browser';
import { type PasskeyChange, passkeyMail } from '../accounts/passkey-mails';
import { type TwoFactorChange, twoFactorMail } from '../accounts/two-factor-mails';
import { addressCodeMail } from '../addresses/address-code-mail';
import { notificationsMail, storageTitle, testNotificationMail, titleOf } from '../notifications/notification-texts';
import { invitationMail, ownershipMail, removedMail, roleChangedMail } from '../team/team-mails';
import type { Notice } from './account-copy.service';
import {
  addressAddedMail,
  addressInUseMail,
  businessDeletedMail,
  confirmEmailMail,
  emailChangedMail,
  emailChangeRequestedMail,
  keyCreatedMail,
  keyReplacedMail,
  passwordChangedMail,
  resetPasswordMail,
  singleSignOnConnectedMail,
  singleSignOnDisconnectedMail,
  webhookDisabledMail,
  webhookFailingMail,
} from './account-notices.service';

/** Every email to account holders, in every language. That none is missing is a matter of types. */

overrideEnv({ PUBLIC_URL: 'https://desk.example.com' });

const email = 'ann@quark.example';
const url = 'https://desk.example.com/page#t0ken';
const business = 'Harbor Lane';
const key = { name: 'Shop', prefix: 'sk_live_abc', last4: 'wxyz' };
const hook = 'https://hooks.quark.example/in';
const passkeyChanges: PasskeyChange[] = ['added', 'first', 'removed', 'last'];
const twoFactorChanges: TwoFactorChange[] = ['on', 'app_off', 'off', 'reset', 'recovery_codes'];
const provider = 'id.quark.example';
const handleCode = { handle: 'harbor-lane', address: 'sales@quark.example', code: '12345678', minutes: 15, attempts: 5 };
const at = new Date('2026-11-26T08:30:00Z');
const visit = { userAgent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0', address: '192.0.2.1', at };

/** All emails of one language, with what each has to contain. */
function mailsIn(language: Language): [Notice, ...string[]][] {
  return [
    [confirmEmailMail(language, email, { url }), email, url],
    [addressInUseMail(language, email), email, '/sign-in', '/forgot-password'],
    [emailChangeRequestedMail(language, email, 'new@quark.example'), email, 'new@quark.example', '/forgot-password'],
    [emailChangedMail(language, email, 'new@quark.example'), email, 'new@quark.example'],
    [resetPasswordMail(language, email, { url }), email, url],
    ...(['settings', 'link', 'operator'] as const).map((change): [Notice, ...string[]] => [
      passwordChangedMail(language, email, change),
      email,
      '/forgot-password',
    ]),
    [
      singleSignOnConnectedMail(language, { email, provider, providerEmail: 'ann@id.example' }),
      email,
      'ann@id.example',
      provider,
    ],
    [singleSignOnConnectedMail(language, { email, provider, providerEmail: null }), email, provider],
    [singleSignOnDisconnectedMail(language, { email, provider }), email, provider, '/forgot-password'],
    [keyCreatedMail(language, business, key), business, 'Shop', 'sk_live_abc…wxyz', '/api-keys'],
    [keyReplacedMail(language, business, key), business, 'Shop', 'sk_live_abc…wxyz', '/api-keys'],
    [addressAddedMail(language, business, 'sales@quark.example'), business, 'sales@quark.example', '/identity'],
    [webhookFailingMail(language, business, hook), business, hook, '/settings/webhooks'],
    [webhookDisabledMail(language, business, hook, 'failing'), business, hook, '/settings/webhooks'],
    [webhookDisabledMail(language, business, hook, 'gone'), business, hook, '410'],
    [businessDeletedMail(language, business), business, '/forgot-password'],
    ...passkeyChanges.map((change): [Notice, ...string[]] => [
      passkeyMail(language, email, { name: 'Laptop', change }),
      'Laptop',
      email,
      'https://desk.example.com/settings',
    ]),
    ...[...twoFactorChanges, { recoveryCodesLeft: 1 }, { recoveryCodesLeft: 9 }].map((change): [Notice, ...string[]] => [
      twoFactorMail(language, email, change),
      email,
      'https://desk.example.com/settings',
    ]),
    [newBrowserMail({ email, language, timeZone: 'Europe/Berlin' }, visit), 'Firefox', 'Windows', '192.0.2.1', '09:30', '2026'],
    [newBrowserMail({ email, language, timeZone: null }, { ...visit, userAgent: '' }), email, '08:30', 'UTC'],
    [invitationMail(language, { business, role: 'member', by: 'Mara', url }), business, 'Mara', url],
    [invitationMail(language, { business, role: 'viewer', by: null, url }), business, url],
    ...(['owner', 'admin', 'member', 'viewer'] as const).map((role): [Notice, ...string[]] => [
      roleChangedMail(language, business, role),
      business,
    ]),
    [ownershipMail(language, business), business],
    [removedMail(language, business), business],
    ...([1, 30] as const).map((count): [Notice, ...string[]] => [
      notificationsMail(
        language,
        business,
        Array.from({ length: count }, () => ({
          ...{ kind: 'assigned' as const, conversationId: 'c' },
          title: titleOf('assigned', { subject: 'Lamp' })(language),
        })),
      ),
      ...[business, 'Lamp', 'https://desk.example.com/inbox/c', '/settings/notifications'],
    ]),
    ...(['mentioned', 'escalation', 'failed_email', 'snooze_ended'] as const).flatMap((kind): [Notice, ...string[]][] =>
      ['Mara', null].map((by) => [
        notificationsMail(language, business, [
          { kind, title: titleOf(kind, { subject: 'Lamp', by })(language), conversationId: null },
        ]),
        business,
        'Lamp',
      ]),
    ),
    ...([80, 100] as const).map((threshold): [Notice, ...string[]] => [
      notificationsMail(language, business, [
        { kind: 'storage', title: storageTitle(threshold)(language), conversationId: null },
      ]),
      ...[business, 'https://desk.example.com/settings/data'],
    ]),
    [testNotificationMail(language, business), business, '/settings/notifications'],
    [addressCodeMail(language, handleCode), 'harbor-lane', 'sales@quark.example', '12345678', '15', 'https://desk.example.com'],
  ];
}

/** Words that are in every English text, and in none of the others. */
const english = /\b(the|your|you|were|and|not|this|with|again|from|email)\b/i;
/** Names of pages, which the dashboard has in English. */
const pages = /“Business profile”|[„«]\u202f?(Business profile|Sign-in)\u202f?[“»]/g;

describe.each(languages)('emails in %s', (language) => {
  test.each(mailsIn(language).map(([mail, ...parts]) => [mail.kind, mail, parts] as const))('%s', (_kind, mail, parts) => {
    const whole = `${mail.subject}\n${mail.text}`;
    for (const part of parts) expect(whole).toContain(part);
    expect(whole).not.toMatch(/undefined|null|\[object|\$\{|\{\{|NaN/);
    expect(mail.subject).not.toMatch(/[.\n]$|^\s/);
    if (language === 'en') expect(whole).toMatch(english);
    else expect(whole.replaceAll(/\S*[@/]\S*/g, '').replaceAll(pages, '')).not.toMatch(english);
  });
});

describe('typography', () => {
  const texts = (language: Language) => mailsIn(language).map(([{ subject, text }]) => `${subject}\n${text}`);

  test('of quotation marks and colons is that of the language', () => {
    for (const text of texts('de')) expect(text).not.toMatch(/["«»”]/);
    for (const text of texts('es')) expect(text).not.toMatch(/["„“]/);
    for (const text of texts('fr')) {
      expect(text).not.toMatch(/["„“]|«(?!\u202f)|(?<!\u202f)»/);
      // A colon has a space before it that doesn't break; those of URLs and times have none.
      expect(text).not.toMatch(/[a-zé)] ?:(\s|$)/m);
    }
  });

  test('of times follows language and zone', () => {
    const written = (language: Language, timeZone: string | null) =>
      newBrowserMail({ email, language, timeZone }, visit).text.split('\n\n')[1];
    expect(written('de', 'Europe/Berlin')).toMatch(/^Zeit: 26\. November 2026 um 09:30 MEZ/);
    expect(written('en', null)).toMatch(/^Time: 26 November 2026 at 08:30 UTC/);
  });
});
