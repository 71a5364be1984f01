import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { makeEarlierDatabase } from '@/server/testing/earlier-version';
import { createDatabase, dropDatabase } from '@/server/testing/postgres';
import { migrate } from './migrate';

/** How an upgrade treats an audit log and stored mail from before quotas and masking. */

const migration = '20261123140000_security_log_and_quotas';

let url = '';
let client: pg.Client;

beforeEach(async () => {
  url = await createDatabase(inject('postgresUrl'));
  await makeEarlierDatabase(url);
  await migrate(url, { isWanted: (name) => name < migration });
  client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
});

afterEach(async () => {
  await client.end();
  await dropDatabase(inject('postgresUrl'), url);
});

async function insertEntry(resource: string, requestId: string, before: object | null, after: object | null): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO audit_entries (author_kind, resource, resource_id, action, request_id, before, after)
      VALUES ('owner', $1, 'x', 'updated', $2, $3, $4) RETURNING id`,
    [resource, requestId, before && JSON.stringify(before), after && JSON.stringify(after)],
  );
  return rows[0]?.id ?? '';
}

async function entry(id: string): Promise<Record<string, unknown>> {
  const { rows } = await client.query('SELECT before, after, request_id, client_request_id FROM audit_entries WHERE id = $1', [
    id,
  ]);
  return rows[0];
}

test('passwords of meetings leave the log, and ids that clients chose are told from ours', async () => {
  const own = randomUUID();
  const meeting = { provider: 'zoom', url: 'https://zoom.us/j/1?pwd=4711', password: '4711' };
  const both = await insertEntry('event', own, { virtual_meeting: null, title: 'A' }, { virtual_meeting: meeting, title: 'B' });
  const cut = await insertEntry('event', 'chosen', null, { virtual_meeting: '{"url": "https://zoom.us/j/1?pwd=4711…' });
  const other = await insertEntry('customer', 'chosen', { notes: 'pwd=4711' }, { notes: 'Passcode: 4711' });
  await migrate(url, { isWanted: (name) => name <= migration });
  expect(await entry(both)).toEqual({
    before: { virtual_meeting: null, title: 'A' },
    after: { virtual_meeting: { provider: 'zoom', url: 'https://zoom.us/j/1?pwd=•••', password: '•••' }, title: 'B' },
    request_id: own,
    client_request_id: null,
  });
  expect(await entry(cut)).toMatchObject({ before: null, after: { virtual_meeting: '•••' }, client_request_id: 'chosen' });
  expect(await entry(other)).toEqual({
    before: { notes: 'pwd=4711' },
    after: { notes: 'Passcode: 4711' },
    request_id: null,
    client_request_id: 'chosen',
  });
});

test('what is stored already is counted', async () => {
  await migrate(url, { isWanted: (name) => name <= migration });
  const { rows } = await client.query<{ stored: string; counted: string }>(
    `SELECT (SELECT sum(bytes) FROM stored_bytes)::text AS stored, (SELECT sum(bytes) FROM storage_usage)::text AS counted`,
  );
  expect(Number(rows[0]?.stored)).toBeGreaterThan(4_096);
  expect(rows[0]?.counted).toBe(rows[0]?.stored);
});
