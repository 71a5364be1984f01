import { beforeEach, describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { overrideEnv } from '@/server/platform/env';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { beginSession } from './session.service';

withFreshDatabase({ PUBLIC_URL: 'https://desk.example.com' });

beforeEach(() => overrideEnv({ SMTP_URL: 'smtp://127.0.0.1:1' }));

const firefox = { userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', address: '192.0.2.7' };

async function noticesTo({ owner }: TestIdentity): Promise<{ subject: string; text: string }[]> {
  const { rows } = await pool().query<{ subject: string; text: string }>(
    `SELECT subject, mail ->> 'text' AS text FROM outbox_mails WHERE identity_id IS NULL AND recipients = ARRAY[$1]`,
    [owner.email],
  );
  return rows;
}

describe('a browser that signs in with an account for the first time', () => {
  test('is mailed to its owner with name, address and what to do', async () => {
    const identity = await createTestIdentity();
    await beginSession(identity.owner.userId, { ...firefox, isKnown: false });
    await beginSession(identity.owner.userId, { ...firefox, isKnown: false });
    const [notice, ...more] = await noticesTo(identity);
    expect(more).toEqual([]);
    expect(notice?.subject).toBe('A new browser signed in to your account');
    for (const part of ['Firefox on Linux', '192.0.2.7', identity.owner.email, 'https://desk.example.com/settings/sign-in']) {
      expect(notice?.text).toContain(part);
    }
  });

  test('is no news while it is the very first, unless the account is older than a day', async () => {
    const [fresh, old] = [await createTestIdentity(), await createTestIdentity()];
    await pool().query(`UPDATE users SET created_at = now() - interval '2 days' WHERE id = $1`, [old.owner.userId]);
    for (const { owner } of [fresh, old]) await beginSession(owner.userId, { ...firefox, isKnown: false });
    expect(await noticesTo(fresh)).toEqual([]);
    expect(await noticesTo(old)).toHaveLength(1);
  });

  test('is mailed once an hour for one browser and network, however often it signs in, and again for another one', async () => {
    const identity = await createTestIdentity();
    const { userId } = identity.owner;
    await beginSession(userId, { ...firefox, isKnown: false });
    const signIn = (address: string, userAgent = firefox.userAgent) =>
      beginSession(userId, { userAgent, address, isKnown: false });
    await Promise.all(Array.from({ length: 8 }, () => signIn('192.0.2.7')));
    expect(await noticesTo(identity)).toHaveLength(1);
    await signIn('192.0.2.8');
    await signIn(
      '192.0.2.7',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_0) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.0 Safari/605.1.15',
    );
    expect(await noticesTo(identity)).toHaveLength(3);
    await pool().query(`UPDATE outbox_mails SET created_at = created_at - interval '61 minutes' WHERE recipients = ARRAY[$1]`, [
      identity.owner.email,
    ]);
    await signIn('192.0.2.7');
    expect(await noticesTo(identity)).toHaveLength(4);
  });

  test('is no news any more once it is known', async () => {
    const identity = await createTestIdentity();
    for (const isKnown of [false, true, true]) await beginSession(identity.owner.userId, { ...firefox, isKnown });
    expect(await noticesTo(identity)).toEqual([]);
  });
});
