import { beforeEach, describe, expect, test } from 'vitest';
import { setPlan } from '@/server/features/identity/identity.service';
import { pool } from '@/server/platform/db/pool';
import { overrideEnv } from '@/server/platform/env';
import { removeExpired } from '@/server/platform/jobs/expiry';
import { removals } from '@/server/registry';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { deliver, mailBytes, receiveBytes } from '@/server/testing/mail';
import { requireRoomForSender, senderOf } from './sender-quota.service';

withFreshDatabase();

type Desk = Awaited<ReturnType<typeof createTestDesk>>;
let desk: Desk;

async function limit(senderBytesPerDay: number, of = desk): Promise<void> {
  await setPlan(of.handle, 'free');
  overrideEnv({ PLAN_LIMITS: { free: { senderBytesPerDay } } });
}

beforeEach(async () => {
  desk = await createTestDesk();
  overrideEnv({ PLAN_LIMITS: undefined });
});

const address = '8.8.4.4';
const send = (size: number, clientAddress = address, to: string | string[] = desk.address) =>
  deliver({ body: 'x'.repeat(size) }, { to, clientAddress });
const exceeded = { code: 'quota_exceeded', details: { quota: 'sender' } };

const counted = async (of = desk) => {
  const { rows } = await pool().query<{ sender: string; bytes: number }>(
    'SELECT sender, bytes::float8 FROM sender_days WHERE identity_id = $1 ORDER BY sender',
    [of.identityId],
  );
  return rows;
};

describe('the sender of a message', () => {
  test.each([
    ['203.0.113.9', 'ann@quark.example', '@quark.example'],
    ['8.8.4.4', 'ann@quark.example', '8.8.4.4'],
    ['::ffff:8.8.4.4', '', '8.8.4.4'],
    ['2a00:1450:4001:81b:1:2:3:4', null, '2a00:1450:4001:81b::/64'],
    ['127.0.0.1', 'Ann@Quark.EXAMPLE', '@quark.example'],
    ['::1', '', '@'],
    ['10.1.2.3', null, '@'],
    ['fd00::1', 'a@b@far.example', '@far.example'],
  ])('from %s with the return path %s is %s', (clientAddress, sender, expected) => {
    expect(senderOf({ source: 'smtp', sender, clientAddress })).toBe(expected);
  });

  test('is the domain of the return path where a service passes it on, and nobody for our own', () => {
    expect(senderOf({ source: 'http', sender: 'ann@quark.example', clientAddress: '8.8.4.4' })).toBe('@quark.example');
    expect(senderOf({ source: 'smtp', sender: 'ann@quark.example' })).toBeNull();
    expect(senderOf({ source: 'http', sender: null, clientAddress: '8.8.4.4' })).toBeNull();
    expect(senderOf({ source: 'http', sender: `a@${'x'.repeat(300)}`, clientAddress: '8.8.4.4' })).toHaveLength(255);
  });
});

describe('what a sender may bring in on a day', () => {
  test('is limited by business and sender, and what is refused is not counted', async () => {
    const other = await createTestDesk();
    await limit(10_000);
    await send(8_000);
    const before = await counted();
    await expect(send(8_000)).rejects.toMatchObject({ ...exceeded, details: { limit: 10_000, remaining: 0 } });
    expect(await counted()).toEqual(before);
    await send(8_000, '8.8.4.5');
    await send(8_000, address, other.address);
    await send(1_000);
    expect((await desk.list()).total).toBe(3);
    expect((await counted()).map(({ sender }) => sender)).toEqual(['8.8.4.4', '8.8.4.5']);
  });

  test('is said with the time of the next day', async () => {
    await limit(1_000);
    const error = await send(2_000).catch((reason: unknown) => reason as { headers: Record<string, string>; details: object });
    const midnight = new Date();
    midnight.setUTCHours(24, 0, 0, 0);
    expect(error).toMatchObject({ details: { resetAt: midnight.toISOString() } });
    const wait = Number('headers' in error ? error.headers['Retry-After'] : 0);
    expect(Math.abs(wait - (midnight.getTime() - Date.now()) / 1000)).toBeLessThan(60);
  });

  test('holds exactly, however much comes in at the same moment', async () => {
    await limit(10_000);
    const all = await Promise.allSettled(Array.from({ length: 12 }, () => send(3_000)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect((await desk.list()).total).toBe(3);
  });

  test('begins anew with the next day', async () => {
    await limit(5_000);
    await send(4_000);
    await expect(send(4_000)).rejects.toMatchObject(exceeded);
    await pool().query('UPDATE sender_days SET day = day - 2 WHERE identity_id = $1', [desk.identityId]);
    await send(4_000);
    await removeExpired(removals);
    expect(await counted()).toHaveLength(1);
  });

  test('does not count what is delivered again', async () => {
    const bytes = mailBytes({ body: 'x'.repeat(3_000) });
    for (let time = 0; time < 3; time++) await receiveBytes(bytes, { to: desk.address, clientAddress: address });
    expect(await counted()).toEqual([{ sender: address, bytes: bytes.length }]);
  });

  test('counts what is put into quarantine, once', async () => {
    const bytes = Buffer.from(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(1_100)}--b--\r\n`);
    for (let time = 0; time < 2; time++) {
      expect(await receiveBytes(bytes, { to: desk.address, clientAddress: address })).toMatchObject({ kind: 'quarantined' });
    }
    expect(await counted()).toEqual([{ sender: address, bytes: bytes.length }]);
  });

  test('of one business keeps no other from its mail', async () => {
    const other = await createTestDesk();
    await limit(5_000);
    const bytes = mailBytes({ body: 'x'.repeat(8_000) });
    const options = { to: [desk.address, other.address], clientAddress: address };
    await expect(receiveBytes(bytes, options)).rejects.toMatchObject(exceeded);
    expect([(await desk.list()).total, (await other.list()).total]).toEqual([0, 1]);
  });

  test('refuses more before any work is done', async () => {
    const from = { source: 'smtp', sender: 'eve@far.example', clientAddress: address } as const;
    await limit(5_000);
    await requireRoomForSender(desk.identityId, from, 0);
    await send(4_500);
    await requireRoomForSender(desk.identityId, from, 0);
    // What is announced (RFC 1870) counts as if it had come.
    await requireRoomForSender(desk.identityId, from, 200);
    await expect(requireRoomForSender(desk.identityId, from, 5_000)).rejects.toMatchObject(exceeded);
    const stranger = { ...from, clientAddress: '8.8.4.9' };
    await expect(requireRoomForSender(desk.identityId, stranger, 5_001)).rejects.toMatchObject(exceeded);
    await limit(4_600);
    await expect(requireRoomForSender(desk.identityId, from, 0)).rejects.toMatchObject(exceeded);
    await limit(-1);
    await requireRoomForSender(desk.identityId, from, 0);
    await send(20_000);
  });
});
