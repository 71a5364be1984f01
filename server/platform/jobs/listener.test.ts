import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import { expect, test } from 'vitest';
import { makePool, pool } from '@/server/platform/db/pool';
import { silenceLimits } from '@/server/platform/db/silent-connections';
import { withFreshDatabase } from '@/server/testing/database';
import { startFreezingProxy } from '@/server/testing/freezing-proxy';
import { keepListenerAlive } from './listener';

withFreshDatabase();

test('the connection that waits for jobs is given up where it died without a word', async () => {
  silenceLimits.patience = 500;
  const proxy = await startFreezingProxy(pool().options.connectionString ?? '');
  const own = makePool(proxy.url, { max: 2, applicationName: 'test' });
  const events: WorkerEvents = new EventEmitter();
  keepListenerAlive(events, 100);
  const client = await own.pool.connect();
  await client.query('LISTEN "jobs:insert"');
  events.emit('pool:listen:success', { client } as never);
  proxy.freeze();
  // The queue then opens another one.
  await new Promise((resolve) => client.once('error', resolve));
  events.emit('pool:listen:release', { client } as never);
  client.release();
  expect((await own.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  await own.close();
  await proxy.close();
});
