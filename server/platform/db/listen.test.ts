import { afterEach, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { silenceLimits } from '@/server/platform/db/silent-connections';
import { setForProcess } from '@/server/platform/process-globals';
import { withFreshDatabase } from '@/server/testing/database';
import { startFreezingProxy } from '@/server/testing/freezing-proxy';
import { listenTo } from './listen';

withFreshDatabase();

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Listens to a channel. @returns what has arrived, and how often the connection was opened */
function listen(name: string) {
  const heard = { payloads: [] as string[], opened: 0 };
  stops.push(listenTo(name, { received: (payload) => heard.payloads.push(payload), opened: () => heard.opened++ }));
  return heard;
}

const notify = (name: string, payload: string) => pool().query('SELECT pg_notify($1, $2)', [name, payload]);

async function connections(): Promise<number> {
  const { rows } = await pool().query(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name = 'frontdesk-listen' AND datname = current_database()`,
  );
  return rows[0].count;
}

test('several channels have one connection, each gets its own, and the last one closes it', async () => {
  const one = listen('one');
  await expect.poll(() => one.opened).toBe(1);
  const two = listen('two');
  await expect.poll(() => two.opened).toBe(1);
  await notify('two', 'b');
  await notify('one', 'a');
  await notify('three', 'c');
  await expect.poll(() => [one.payloads, two.payloads]).toEqual([['a'], ['b']]);
  expect(await connections()).toBe(1);
  await stops.shift()?.();
  await notify('two', 'd');
  await expect.poll(() => two.payloads).toEqual(['b', 'd']);
  await stops.shift()?.();
  await expect.poll(connections).toBe(0);
  const again = listen('one');
  await expect.poll(() => again.opened).toBe(1);
});

test('a connection that died without a word is replaced', async () => {
  silenceLimits.patience = 500;
  const url = pool().options.connectionString ?? '';
  const proxy = await startFreezingProxy(url);
  setForProcess('direct-url', proxy.url);
  const heard = listen('one');
  await expect.poll(() => heard.opened).toBe(1);
  proxy.freeze();
  await expect.poll(() => heard.opened, { timeout: 30_000 }).toBe(2);
  await notify('one', 'after');
  await expect.poll(() => heard.payloads).toEqual(['after']);
  setForProcess('direct-url', url);
  await stops.shift()?.();
  await proxy.close();
}, 40_000);
