import { beforeAll, describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { overrideEnv } from '@/server/platform/env';
import { accountMailsTo } from '@/server/testing/account-mail';
import { withFreshDatabase } from '@/server/testing/database';
import { committedEvents } from '@/server/testing/events';
import { createTestIdentity } from '@/server/testing/identity';
import { addWebhook } from '@/server/testing/webhook-receiver';
import { getWebhook } from './webhook.service';
import { watchHealth } from './webhook-health';

withFreshDatabase();

beforeAll(() => {
  overrideEnv({ SMTP_URL: 'smtp://127.0.0.1:9' });
});

/** A webhook that has been failing since, and whose last failure was then; in hours ago. */
async function failing(since: number, last: number) {
  const { actor, owner } = await createTestIdentity();
  const { id } = await addWebhook(actor, 'https://8.8.8.8/hook');
  await pool().query(
    `UPDATE webhooks SET failing_since = now() - make_interval(hours => $2), last_failure_at = now() - make_interval(hours => $3) WHERE id = $1`,
    [id, since, last],
  );
  return {
    id,
    mails: async () => (await accountMailsTo(owner.email)).map(({ kind }) => kind),
    events: async () => (await committedEvents(actor)).map(({ type }) => type),
    read: () => getWebhook(actor, id),
  };
}

/** Several servers look at the same moment. */
const watch = () => Promise.all(Array.from({ length: 5 }, watchHealth));

describe('a webhook that fails', () => {
  test('for less than a day is left alone', async () => {
    const { mails, read } = await failing(23, 0);
    await watch();
    expect([await mails(), (await read()).status]).toEqual([[], 'active']);
  });

  test('for a day is told to its owner, once', async () => {
    const { mails, read } = await failing(25, 1);
    await watch();
    await watch();
    expect([await mails(), (await read()).status]).toEqual([['webhook_failing'], 'active']);
  });

  test('for five days, with failures a day apart, is disabled once', async () => {
    const { mails, read, events } = await failing(121, 45);
    await watch();
    await watch();
    expect(await mails()).toEqual(['webhook_disabled']);
    expect(await read()).toMatchObject({ status: 'disabled', disabledReason: 'failing' });
    expect(await events()).toEqual(['webhook.disabled']);
  });

  test('and was tried on the first day only stays', async () => {
    const { mails, read, events } = await failing(200, 180);
    await watch();
    expect([await mails(), (await read()).status, await events()]).toEqual([['webhook_failing'], 'active', []]);
  });

  test('while it is paused is left alone', async () => {
    const { id, mails, read } = await failing(121, 45);
    await pool().query(`UPDATE webhooks SET status = 'paused' WHERE id = $1`, [id]);
    await watch();
    expect([await mails(), (await read()).status]).toEqual([[], 'paused']);
  });
});
