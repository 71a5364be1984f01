import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { makeEarlierQueue } from '@/server/testing/earlier-queue';
import { makeEarlierDatabase } from '@/server/testing/earlier-version';
import { createDatabase, dropDatabase } from '@/server/testing/postgres';
import { migrate } from './migrate';

const [jobsMigration, dueByJobMigration] = ['20261203100000_jobs', '20261204100000_due_by_job'];

test('jobs of the queue before wait in the new one, each once, and that one is gone', async () => {
  const url = await createDatabase(inject('postgresUrl'));
  await makeEarlierDatabase(url);
  await migrate(url, { isWanted: (name) => name < jobsMigration });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const runAt = new Date('2030-01-01T00:00:00Z');
    const payload = { id: 'x' };
    await makeEarlierQueue(client, [
      { task: 'send-mail', key: 'mail:a', payload, runAt, attempts: 3 },
      { task: 'send-mail', key: 'mail:b', payload, priority: -10, runAt },
      { task: 'send-event-reminders', key: 'event-reminders:c', payload, runAt, isLocked: true },
      { task: 'deliver-webhook', key: 'deliver-webhook:d', payload, queue: 'deliver-webhook:hook:3', runAt },
      { task: 'deliver-webhook', key: 'deliver-webhook:e', payload, queue: 'deliver-webhook:hook:0', priority: 10, runAt },
      { task: 'deliver-notifications', key: 'deliver-notifications:i:u', payload, queue: 'deliver-notifications:i:u', runAt },
      { task: 'render-message', key: 'render-message:f', payload, queue: 'render-message', runAt },
      { task: 'measure-remote-pictures', key: 'measure-remote-pictures:g', payload, queue: 'remote-pictures-1', runAt },
      { task: 'unassign-member', key: 'unassign-member:i:u', payload, runAt },
      // Not taken over: out of attempts; of a cron line; replaced while it ran; added at each start.
      { task: 'send-mail', key: 'mail:z', payload, attempts: 25 },
      { task: 'sweep-outbox', key: null, payload: {} },
      { task: 'deliver-webhook', key: null, payload, attempts: 25, isLocked: true },
      { task: 'reindex-events', key: 'reindex-events', payload: {} },
    ]);
    expect(await migrate(url, { isWanted: (name) => name <= jobsMigration })).toEqual([jobsMigration]);
    const { rows } = await client.query(
      `SELECT kind, key, lane, destination FROM jobs
        WHERE payload = '{"id": "x"}' AND due_at = '2030-01-01T00:00:00Z' AND attempts = 0 AND holder_id IS NULL ORDER BY kind, key`,
    );
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['deliver-notifications', 'i:u', 'outbound', null],
      ['deliver-webhook', 'd', 'outbound', 'hook'],
      ['deliver-webhook', 'e', 'failing', 'hook'],
      ['measure-remote-pictures', 'g', 'shared', 'remote-pictures-1'],
      ['render-message', 'f', 'shared', 'render-message'],
      ['send-event-reminders', 'c', 'shared', null],
      ['send-mail', 'a', 'mail', null],
      ['send-mail', 'b', 'account-mail', null],
      ['unassign-member', 'i:u', 'shared', null],
    ]);
    expect((await client.query('SELECT FROM jobs')).rowCount).toBe(rows.length);
    const { rows: left } = await client.query(
      `SELECT to_regnamespace('graphile_worker') AS schema, to_regclass('restored_jobs') AS restored`,
    );
    expect(left).toEqual([{ schema: null, restored: null }]);
  } finally {
    await client.end();
    await dropDatabase(inject('postgresUrl'), url);
  }
});

test('mail and reminders that wait without a job get one, and keep the one they have', async () => {
  const url = await createDatabase(inject('postgresUrl'));
  await makeEarlierDatabase(url);
  await migrate(url, { isWanted: (name) => name < dueByJobMigration });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const one = async (text: string, values: unknown[] = []) =>
    (await client.query<{ id: string }>(text, values)).rows[0]?.id ?? '';
  try {
    await client.query('DELETE FROM jobs');
    const mailOf = (kind: string, state: string) =>
      one(
        `INSERT INTO outbox_mails (id, identity_id, kind, state, message_id_header, subject, recipients, mail, due_at)
          SELECT gen_random_uuid(), identity_id, $1, $2::outbox_state, gen_random_uuid()::text, subject, recipients, mail, '2030-01-01T00:00:00Z'
          FROM outbox_mails LIMIT 1 RETURNING id`,
        [kind, state],
      );
    const [queued, sending, code] = [
      await mailOf('reply', 'queued'),
      await mailOf('reply', 'sending'),
      await mailOf('address_code', 'queued'),
    ];
    const scheduled = await mailOf('reply', 'queued');
    await client.query(`UPDATE calendar_events SET reminder_due_at = NULL`);
    const event = await one(
      `UPDATE calendar_events SET reminder_due_at = '2030-01-01T00:00:00Z' WHERE id = (SELECT id FROM calendar_events LIMIT 1) RETURNING id`,
    );
    await client.query(`SELECT schedule_job('send-mail', 'mail', $1, '{}', '2031-01-01T00:00:00Z')`, [scheduled]);
    await client.query(
      `SELECT schedule_job(kind, 'shared', '', '{}') FROM unnest('{sweep-outbox,sweep-reminders}'::text[]) kind`,
    );
    expect(await migrate(url, { isWanted: (name) => name <= dueByJobMigration })).toEqual([dueByJobMigration]);
    const { rows } = await client.query(
      `SELECT kind, key, lane, payload - 'identityId' AS payload, due_at = '2030-01-01T00:00:00Z' AS "isNew" FROM jobs`,
    );
    const job = { kind: 'send-mail', lane: 'mail', isNew: true };
    expect(rows).toHaveLength(5);
    expect(rows).toEqual(
      expect.arrayContaining([
        { ...job, key: queued, payload: { id: queued } },
        { ...job, key: sending, payload: { id: sending } },
        { ...job, key: code, payload: { id: code }, lane: 'account-mail' },
        { ...job, key: scheduled, payload: {}, isNew: false },
        { ...job, kind: 'send-event-reminders', key: event, payload: { eventId: event }, lane: 'shared' },
      ]),
    );
  } finally {
    await client.end();
    await dropDatabase(inject('postgresUrl'), url);
  }
});
