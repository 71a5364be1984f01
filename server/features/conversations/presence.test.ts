import { beforeEach, expect, test } from 'vitest';
import { removeMember } from '@/server/features/team/member.service';
import { pool } from '@/server/platform/db/pool';
import { removeExpired } from '@/server/platform/jobs/expiry';
import { queryAsOwner, withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { eventsOf } from '@/server/testing/events';
import { createTestIdentity } from '@/server/testing/identity';
import { deliver, testMessageId } from '@/server/testing/mail';
import { addTestMember, type TestMember } from '@/server/testing/team';
import type { PresenceInput } from './conversation.schema';
import { notePresence, removeOldPresence } from './presence.service';

withFreshDatabase();

let desk: Awaited<ReturnType<typeof createTestDesk>>;
let mara: TestMember;
let tom: TestMember;
let conversationId: string;

beforeEach(async () => {
  desk = await createTestDesk();
  mara = await addTestMember(desk, 'member', 'Mara');
  tom = await addTestMember(desk, 'viewer');
  ({ conversationId } = await deliver({}, { to: desk.address }));
});

async function note({ actor }: TestMember, activity: PresenceInput['activity'], id = conversationId) {
  return (await notePresence(actor, { conversationId: id, activity })).others;
}

const count = async () => (await pool().query('SELECT count(*)::int AS count FROM conversation_presence')).rows[0].count;

const setBack = (interval: string) =>
  pool().query(`UPDATE conversation_presence SET seen_at = now() - $2::interval WHERE conversation_id = $1`, [
    conversationId,
    interval,
  ]);

test('members see what the others do, and not themselves', async () => {
  expect(await note(mara, 'viewing')).toEqual([]);
  const ofMara = { userId: mara.actor.userId, name: 'Mara' };
  expect(await note(tom, 'viewing')).toEqual([{ ...ofMara, activity: 'viewing' }]);
  await note(mara, 'answering');
  const nameOfTom = tom.email.split('@')[0];
  expect(await note(tom, 'viewing')).toEqual([{ ...ofMara, activity: 'answering' }]);
  expect(await note(mara, 'answering')).toEqual([{ userId: tom.actor.userId, name: nameOfTom, activity: 'viewing' }]);
  await note(mara, 'left');
  expect(await note(tom, 'viewing')).toEqual([]);
  expect(await note(mara, 'left')).toHaveLength(1);
});

test('who answers is named first', async () => {
  await note(tom, 'answering');
  await note(mara, 'viewing');
  const { others } = await notePresence(desk.actor, { conversationId, activity: 'viewing' });
  expect(others.map(({ activity }) => activity)).toEqual(['answering', 'viewing']);
});

test('who is silent for 45 seconds does not count, and is removed later', async () => {
  await note(mara, 'viewing');
  await setBack('44 seconds');
  expect(await note(tom, 'left')).toHaveLength(1);
  await setBack('46 seconds');
  expect(await note(tom, 'left')).toEqual([]);
  await removeExpired([removeOldPresence]);
  const kept = await count();
  await setBack('61 minutes');
  await removeExpired([removeOldPresence]);
  expect(await count()).toBe(kept - 1);
});

test('heartbeats write no event and no entry of the audit log', async () => {
  const entries = () =>
    queryAsOwner<{ count: number }>('SELECT count(*)::int AS count FROM audit_entries WHERE identity_id = $1', [desk.identityId]);
  const before = await entries();
  expect(
    await eventsOf(desk, async () => {
      for (const activity of ['viewing', 'answering', 'answering', 'left'] as const) await note(mara, activity);
    }),
  ).toEqual([]);
  expect(await entries()).toEqual(before);
});

test('many heartbeats at once leave one entry', async () => {
  const before = await count();
  await Promise.all(Array.from({ length: 10 }, (_, index) => note(mara, index % 2 ? 'viewing' : 'answering')));
  expect(await count()).toBe(before + 1);
});

test('a conversation of another business is not found', async () => {
  const stranger = await createTestIdentity();
  await note(mara, 'viewing');
  await expect(notePresence(stranger.actor, { conversationId, activity: 'viewing' })).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('the id of a conversation that became part of another one leads there', async () => {
  const ids = [testMessageId(), testMessageId()];
  const first = await deliver({ headers: { 'Message-ID': ids[0] } }, { to: desk.address });
  const second = await deliver({ headers: { 'Message-ID': ids[1] } }, { to: desk.address });
  await note(mara, 'viewing', second.conversationId);
  await deliver({ headers: { References: ids.join(' ') } }, { to: desk.address });
  await note(mara, 'viewing', second.conversationId);
  expect(await note(tom, 'viewing', first.conversationId)).toHaveLength(1);
});

test('who leaves the business leaves its conversations', async () => {
  await note(mara, 'answering');
  await removeMember(desk.actor, mara.actor.userId);
  expect(await note(tom, 'viewing')).toEqual([]);
});
