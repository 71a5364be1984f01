import { expect, test } from 'vitest';
import { withDatabaseBefore } from '@/server/testing/database-before';
import { migrate } from './migrate';

/** How the migration that adds `waiting_since` finds out since when existing conversations wait. */

const migration = '20261214100000_waiting_since';

const database = withDatabaseBefore(migration);

const identityId = '00000000-0000-7000-8000-000000000011';

/** A message as `<direction> <hour>`, and what it is besides. */
type Line = [direction: 'inbound' | 'outbound', hour: number, is?: 'auto-reply' | 'failed'];

let count = 0;

async function converse(subject: string, lines: Line[], fields: Record<string, unknown> = {}): Promise<void> {
  const columns = { status: 'pending', is_archived: false, snoozed_until: null, is_spam: false, ...fields };
  const { rows } = await database.client.query<{ id: string }>(
    `INSERT INTO conversations (identity_id, id, subject, preview, last_message_at, counterpart_email, ${Object.keys(columns).join(', ')})
      VALUES ($1, gen_random_uuid(), $2, '', '2026-01-02', 'ann@quark.example', $3, $4, $5, $6) RETURNING id`,
    [identityId, subject, ...Object.values(columns)],
  );
  for (const [direction, hour, is] of lines) {
    count += 1;
    const isReceived = direction === 'inbound';
    const status = isReceived ? 'received' : is === 'failed' ? 'failed' : 'sent';
    const at = new Date(Date.UTC(2026, 0, 1, hour));
    await database.client.query(
      `INSERT INTO messages (identity_id, id, conversation_id, direction, status, from_email, subject, text, preview, message_id_header,
          is_auto_reply, created_at, received_at)
        VALUES ($1, gen_random_uuid(), $2, $3, $4, 'ann@quark.example', '', '', '', $5, $6, $7, $8)`,
      [identityId, rows[0]?.id, direction, status, `<${count}@x>`, is === 'auto-reply', at, isReceived ? at : null],
    );
  }
}

test('conversations wait since the first message after the last answer', async () => {
  const { client, url } = database;
  await client.query(
    `INSERT INTO users (id, email, password_hash) VALUES ('00000000-0000-7000-8000-000000000001', 'a@mail.example', 'x')`,
  );
  await client.query(
    `INSERT INTO identities (id, handle, owner_user_id) VALUES ($1, 'acme', '00000000-0000-7000-8000-000000000001')`,
    [identityId],
  );
  await converse('asked', [['inbound', 1]]);
  await converse('asked three times', [
    ['inbound', 2],
    ['outbound', 3],
    ['inbound', 4],
    ['inbound', 5],
  ]);
  await converse('answer failed', [
    ['inbound', 6],
    ['outbound', 7, 'failed'],
  ]);
  await converse('snoozed', [['inbound', 8]], { is_archived: true, snoozed_until: '2030-01-01T00:00:00Z' });
  await converse('out of office', [
    ['outbound', 9],
    ['inbound', 10, 'auto-reply'],
  ]);
  await converse('answered', [
    ['inbound', 11],
    ['outbound', 12],
  ]);
  await converse('done', [['inbound', 13]], { status: 'completed' });
  await converse('archived', [['inbound', 14]], { is_archived: true });
  await converse('spam', [['inbound', 15]], { is_spam: true });
  const revisions = async () =>
    (await client.query('SELECT subject, revision, updated_at FROM conversations ORDER BY subject')).rows;
  const before = await revisions();
  expect(await migrate(url, { isWanted: (name) => name <= migration })).toEqual([migration]);
  const { rows } = await client.query(
    `SELECT subject, extract(hour FROM waiting_since AT TIME ZONE 'UTC')::int AS hour FROM conversations
      WHERE waiting_since IS NOT NULL ORDER BY waiting_since`,
  );
  expect(rows).toEqual([
    { subject: 'asked', hour: 1 },
    { subject: 'asked three times', hour: 4 },
    { subject: 'answer failed', hour: 6 },
    { subject: 'snoozed', hour: 8 },
  ]);
  expect(await revisions()).toEqual(before);
});
