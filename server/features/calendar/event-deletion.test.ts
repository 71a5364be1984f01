import { expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { rows } from '@/server/platform/db/sql';
import { changeTestEvent, createTestEvent, freeAt, queuedMails } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { eventsOf } from '@/server/testing/events';
import { createTestIdentity } from '@/server/testing/identity';
import { findJob } from '@/server/testing/jobs';
import { getEvent } from './event.service';
import { deleteEvent, restoreEvent } from './event-deletion.service';
import { remindersJob } from './reminder.service';

withFreshDatabase();

const notFound = { code: 'not_found', status: 404 };

const tomorrow = (hours: number) => new Date(Date.now() + 86_400_000 + hours * 3_600_000).toISOString();

/** The rows of an event and its invitees, without what every write raises. */
async function rowsOf(eventId: string) {
  const found = await rows<{ row: Record<string, unknown> }>(pool(), {
    text: `SELECT to_json(e) AS row FROM calendar_events e WHERE id = $1
      UNION ALL SELECT * FROM (SELECT to_json(v) FROM calendar_invitees v WHERE event_id = $1 ORDER BY position) invitees`,
    values: [eventId],
  });
  return found.map(({ row: { updated_at: _updated, revision: _revision, ...row } }) => row);
}

const reminderJob = (eventId: string) => findJob(remindersJob, eventId);

const fields = {
  startTime: tomorrow(0),
  endTime: tomorrow(1),
  virtualMeeting: { provider: 'zoom' as const, url: 'https://zoom.example/j/1', password: 'secret' },
  recurrence: 'weekly' as const,
  reminders: [{ type: 'email' as const, value: 30, unit: 'minutes' as const }],
  invitees: [{ email: 'ann@quark.example', name: 'Ann' }, { email: 'bob@quark.example' }],
};

test('a restored event has its times, password, responses and reminders, and no email is sent', async () => {
  const identity = await createTestIdentity({ address: 'desk@restored.example' });
  const { actor, identityId } = identity;
  const created = await createTestEvent(actor, fields);
  const { id } = await changeTestEvent(actor, created.id, { location: 'Harbor Lane 4', notifyAttendeesOfChanges: true });
  await pool().query(
    `UPDATE calendar_invitees SET response = 'accepted', answered_by = 'mail', answered_at = now(), answer_verified = true, replied_at = now()
      WHERE event_id = $1 AND position = 1`,
    [id],
  );
  const before = await rowsOf(id);
  expect(before).toHaveLength(3);
  const job = await reminderJob(id);
  const mails = await queuedMails(identityId);
  await deleteEvent(actor, id);
  expect([await rowsOf(id), await reminderJob(id)]).toEqual([[], undefined]);

  const [event] = await eventsOf(identity, () => restoreEvent(actor, id));
  expect(await rowsOf(id)).toEqual(before);
  expect(await reminderJob(id)).toEqual(job);
  expect(job).toBeDefined();
  expect(await queuedMails(identityId)).toEqual(mails);
  expect((await freeAt(actor, fields.startTime, fields.endTime)).available).toBe(false);
  // Created, changed, deleted.
  expect(event).toMatchObject({ type: 'calendar.event.created', object: { id, version: 4 } });
  // The log does not say the password.
  expect(JSON.stringify(event)).not.toContain('secret');
  expect((await getEvent(actor, id)).event.virtualMeeting?.password).toBe('secret');
  // What is there stays as it is.
  expect(await restoreEvent(actor, id)).toEqual({ success: true, ...(await getEvent(actor, id)) });
  expect(await eventsOf(identity, () => restoreEvent(actor, id))).toEqual([]);
});

test('a canceled event stays canceled, without reminders', async () => {
  const { actor } = await createTestIdentity();
  const { id } = await createTestEvent(actor, fields, 'cancelled');
  await deleteEvent(actor, id);
  expect((await restoreEvent(actor, id)).event.status).toBe('cancelled');
  expect(await reminderJob(id)).toBeUndefined();
});

test('a key that may not send mail restores no reminders to guests, and those of the owner', async () => {
  const { actor, apiKeyActor } = await createTestIdentity();
  const limited = { ...apiKeyActor, scopes: ['calendar:write' as const] };
  const { id } = await createTestEvent(actor, fields);
  const { id: own } = await createTestEvent(actor, { ...fields, invitees: [] });
  await deleteEvent(actor, id);
  await deleteEvent(actor, own);
  await expect(restoreEvent(limited, id)).rejects.toMatchObject({ code: 'insufficient_scope' });
  await restoreEvent(limited, own);
  await restoreEvent(actor, id);
});

test('another business and an unknown id are not found', async () => {
  const [identity, stranger] = [await createTestIdentity(), await createTestIdentity()];
  const { id } = await createTestEvent(identity.actor);
  await deleteEvent(identity.actor, id);
  await expect(restoreEvent(stranger.actor, id)).rejects.toMatchObject(notFound);
  await expect(restoreEvent(identity.actor, 'nothing')).rejects.toMatchObject(notFound);
});
