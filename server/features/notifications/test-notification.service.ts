import type { LookupFunction } from 'node:net';
import type { IdentityActor, SessionActor } from '@/server/platform/actor';
import { identities, users } from '@/server/platform/auth/accounts.sql';
import { countTestNotification } from '@/server/platform/auth/sign-in-throttle';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { transaction } from '@/server/platform/db/transaction';
import { AppError } from '@/server/platform/errors';
import { languageOf } from '@/server/platform/languages.schema';
import { sendAccountMail } from '../outbox/account-mail.service';
import type { TestNotificationInput } from './notification.schema';
import { testNotificationMail, testNotificationPush } from './notification-texts';
import { pushToSession } from './push.service';

/** Notifications that people send to themselves, to see whether they arrive. */

type PersonActor = SessionActor & IdentityActor;

async function sendTestMail(actor: PersonActor): Promise<void> {
  await transaction(actor, async (client) => {
    const [self] = await rows<{ email: string; language: string; business: string }>(client, {
      name: 'test-notification-mail',
      text: `SELECT u.email, u.language, coalesce(nullif(i.display_name, ''), i.handle) AS business FROM ${users} u, ${identities} i
        WHERE u.id = $1 AND i.id = $2`,
      values: [actor.userId, actor.identityId],
    });
    const wasWritten =
      self && (await sendAccountMail(client, { to: self.email, ...testNotificationMail(languageOf(self), self.business) }));
    if (!wasWritten) throw new AppError('conflict', 'This installation sends no email yet.');
  });
}

async function sendTestPush(actor: PersonActor, lookup?: LookupFunction): Promise<void> {
  const [self] = await rows<{ language: string }>(pool(), {
    name: 'test-notification-push',
    text: `SELECT u.language FROM ${users} u WHERE u.id = $1`,
    values: [actor.userId],
  });
  const text = testNotificationPush(languageOf({ language: self?.language ?? '' }));
  const message = { ...text, path: '/settings/notifications', tag: 'test' };
  const outcome = await pushToSession(actor, message, { lookup });
  if (!outcome) throw new AppError('conflict', 'Turn on notifications in this browser first.');
  if (outcome.error !== null) throw new AppError('conflict', `The notification could not be sent. ${outcome.error}`);
}

/**
 * Sends the caller a notification, as an email or in the browser of this session.
 * @throws AppError conflict where that is not possible, rate_limit_exceeded after ten in an hour
 */
export async function sendTestNotification(
  actor: PersonActor,
  { channel }: TestNotificationInput,
  lookup?: LookupFunction,
): Promise<void> {
  const retryAfter = await countTestNotification(actor.userId);
  if (retryAfter !== null) {
    const headers = { 'Retry-After': String(retryAfter) };
    throw new AppError('rate_limit_exceeded', 'Too many test notifications. Try again later.', { headers });
  }
  await (channel === 'email' ? sendTestMail(actor) : sendTestPush(actor, lookup));
}
