import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, inject, test } from 'vitest';
import { Client } from './connection';

test('the time to connect is that in which the process could read the answer', async () => {
  const client = new Client({ connectionString: inject('postgresUrl'), connectionTimeoutMillis: 500 });
  const connected = client.connect();
  // As the first page of a new server does on a slow machine.
  for (const begun = performance.now(); performance.now() - begun < 1_000; );
  await connected;
  await client.end();
});

test('a server that accepts a connection and says nothing is given up', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;
  const client = new Client({ host: '127.0.0.1', port, user: 'desk', connectionTimeoutMillis: 100 });
  await expect(client.connect()).rejects.toThrow('timeout expired');
  silent.close();
});
