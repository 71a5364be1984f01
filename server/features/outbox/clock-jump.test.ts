import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { recordDelivery } from '@/server/features/conversations/delivery.service';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { withMailServer } from '@/server/testing/smtp-server';
import { sendTestMail } from '../mail/test-mail.service';
import { sendMail } from './sending.service';

/** The database's clock can't be set here, so rows are written as they would be after a jump. */

withFreshDatabase();
const mailServer = withMailServer();

beforeAll(async () => {});

afterEach(() => {
  vi.useRealTimers();
});

const minute = 60_000;

describe('mail', () => {
  async function queued(handle: string): Promise<string> {
    const { actor } = await createTestIdentity({ address: `${handle}@clock.example` });
    return (await sendTestMail(actor)).id;
  }

  /** Seconds until the mail is due, and until its job is. */
  async function waitOf(id: string): Promise<{ state: string; mail: number; job: number } | undefined> {
    const [found] = await rows<{ state: string; mail: number; job: number }>(pool(), {
      text: `SELECT state, extract(epoch FROM due_at - now())::float8 AS mail,
          (SELECT extract(epoch FROM due_at - now())::float8 FROM jobs WHERE key = $1::text) AS job
        FROM outbox_mails WHERE id = $1::uuid`,
      values: [id],
    });
    return found;
  }

  test.each([-20 * minute, 20 * minute])('is tried again by the database’s clock, with a server’s %i ms from it', async (by) => {
    mailServer.behave({ message: () => ({ code: 451, message: '4.3.0 Busy' }) });
    const id = await queued(`retry${by < 0 ? '-behind' : '-ahead'}`);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + by });
    await sendMail(id, recordDelivery);
    const wait = await waitOf(id);
    expect(wait?.state).toBe('queued');
    for (const seconds of [wait?.mail, wait?.job]) {
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(30);
    }
  });
});

test('the limit of test mails does not count those of a time to come', async () => {
  const { actor } = await createTestIdentity({ address: 'limit@clock.example' });
  for (let i = 0; i < 5; i++) await sendTestMail(actor);
  await expect(sendTestMail(actor)).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
  await pool().query(`UPDATE outbox_mails SET created_at = created_at + interval '1 day' WHERE identity_id = $1`, [
    actor.identityId,
  ]);
  for (let i = 0; i < 5; i++) await sendTestMail(actor);
  await expect(sendTestMail(actor)).rejects.toMatchObject({ code: 'rate_limit_exceeded' });
});
