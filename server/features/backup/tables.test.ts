import { expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { inLoadingOrder, readTables } from '@/server/platform/db/tables';
import { withFreshDatabase } from '@/server/testing/database';
import { readSequences, storedFilesQuery } from './tables';

withFreshDatabase();

test('what rows refer to is loaded before them', async () => {
  const client = await pool().connect();
  try {
    const names = (await readTables(client)).map(({ name }) => name);
    for (const [parent, child] of [
      ['users', 'identities'],
      ['identities', 'customers'],
      ['customers', 'external_contacts'],
      ['messages', 'attachments'],
    ]) {
      expect(names.indexOf(parent ?? '')).toBeLessThan(names.indexOf(child ?? ''));
    }
    expect(names).toContain('idempotent_requests');
    expect(names).not.toContain('_prisma_migrations');
  } finally {
    client.release();
  }
});

test('tables that refer to each other are named', () => {
  const tables = [
    { name: 'alone', parents: [] },
    { name: 'hen', parents: ['egg'] },
    { name: 'egg', parents: ['hen'] },
  ];
  expect(() => inLoadingOrder(tables)).toThrow('in a circle: hen, egg.');
});

test('every sequence and every column that names files is found', async () => {
  const client = await pool().connect();
  try {
    expect((await readSequences(client)).map(({ name }) => name)).toEqual([
      'audit_entries_id_seq',
      'event_log_seq_seq',
      'external_contacts_link_order_seq',
      'jobs_id_seq',
    ]);
    for (const table of ['attachments', 'quarantined_mails', 'blog_image_files']) {
      expect(storedFilesQuery(await readTables(client))).toContain(`FROM "${table}"`);
    }
  } finally {
    client.release();
  }
});
