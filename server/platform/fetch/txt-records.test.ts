import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDnsServer, type TestDnsServer } from '@/server/testing/dns-server';
import { parseEnv } from '../env';
import { setForProcess } from '../process-globals';
import { readTxtRecords } from './txt-records';

let dns: TestDnsServer;

beforeAll(async () => {
  dns = await startTestDnsServer();
  setForProcess('env', parseEnv({ NODE_ENV: 'test', DNS_SERVERS: dns.address }));
});
afterAll(() => dns.close());

test('records come whole, however many pieces they are in', async () => {
  dns.records.set('acme.example', ['v=spf1 -all', 'x'.repeat(600)]);
  expect((await readTxtRecords('acme.example')).sort()).toEqual(['v=spf1 -all', 'x'.repeat(600)]);
});

test('a domain without any, or that does not exist, has none', async () => {
  dns.records.set('empty.example', []);
  expect(await readTxtRecords('empty.example')).toEqual([]);
  expect(await readTxtRecords('nowhere.example')).toEqual([]);
});

test('servers that do not answer are given up in time', async () => {
  dns.silent.add('silent.example');
  await expect(readTxtRecords('silent.example')).rejects.toMatchObject({
    name: 'LookupFailure',
    message: 'The DNS servers did not answer in time.',
  });
});

test('who stops does not wait for them', async () => {
  dns.silent.add('stopping.example');
  const stopping = new AbortController();
  const reading = readTxtRecords('stopping.example', stopping.signal);
  await expect.poll(() => dns.asked).toContain('stopping.example');
  stopping.abort();
  await expect(reading).rejects.toMatchObject({ name: 'LookupFailure' });
  // It would have asked again.
  expect(dns.asked.filter((name) => name === 'stopping.example')).toHaveLength(1);
});
