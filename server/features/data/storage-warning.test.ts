import { beforeEach, expect, test } from 'vitest';
import { addNoteInput } from '@/server/features/conversations/note.schema';
import { addNote } from '@/server/features/conversations/note.service';
import { getLargestRecords } from '@/server/features/conversations/storage.service';
import { deleteConversation } from '@/server/features/conversations/trash.service';
import { setPlan } from '@/server/features/identity/identity.service';
import { listNotifications } from '@/server/features/notifications/notification.service';
import { getQuotaUse } from '@/server/features/usage/quota.service';
import { overrideEnv } from '@/server/platform/env';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { eventsOf } from '@/server/testing/events';
import { running } from '@/server/testing/jobs';
import { deliver } from '@/server/testing/mail';
import { addTestMember } from '@/server/testing/team';
import { showStorageAsOperator } from './data.service';
import { storageWarning } from './storage-warning.service';

withFreshDatabase();

type Desk = Awaited<ReturnType<typeof createTestDesk>>;
let desk: Desk;

beforeEach(async () => {
  desk = await createTestDesk();
  overrideEnv({ PLAN_LIMITS: undefined });
});

const run = async () => void (await storageWarning.run(running({})));

async function limit(storageBytes: number): Promise<void> {
  await setPlan(desk.handle, 'free');
  overrideEnv({ PLAN_LIMITS: { free: { storageBytes } } });
}

const used = async () => (await getQuotaUse(desk.identityId)).storage.current;
const titles = async (actor: Desk['actor']) =>
  (await listNotifications(actor, { limit: 10 })).notifications.map(({ kind, title }) => [kind, title]);

test('80 and 100 per cent of the storage are told of once a month each: by event, and to owners and admins', async () => {
  const [admin, member] = [await addTestMember(desk, 'admin'), await addTestMember(desk, 'member')];
  await deliver({ body: 'x'.repeat(9_000) }, { to: desk.address });
  const current = await used();
  await limit(current * 1.3);
  expect(await eventsOf(desk, run)).toEqual([]);
  await limit(Math.floor(current / 0.8));
  const [event, ...others] = await eventsOf(desk, run);
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    type: 'usage.threshold_reached',
    object: { id: `storage-${new Date().toISOString().slice(0, 7)}-80` },
    data: { object: { figure: 'storage', threshold: 80, current, limit: Math.floor(current / 0.8), plan: 'Free' } },
  });
  expect(await eventsOf(desk, run)).toEqual([]);
  const warning = ['storage', '80% of the storage is used'];
  for (const { actor } of [desk, admin]) expect(await titles(actor)).toEqual([warning]);
  expect(await titles(member.actor)).toEqual([]);

  // Nothing is stored beyond the limit, so it is full shortly before.
  await limit(Math.floor(current / 0.991));
  expect((await eventsOf(desk, run)).map(({ data }) => data.object?.threshold)).toEqual([100]);
  await run();
  expect(await titles(desk.actor)).toEqual([['storage', 'Storage is full, and emails may be refused'], warning]);
});

test('a plan without a limit, or with nothing stored, is not warned of', async () => {
  await limit(0);
  expect(await eventsOf(desk, run)).toEqual([]);
  await limit(-1);
  await deliver({}, { to: desk.address });
  expect(await eventsOf(desk, run)).toEqual([]);
});

test('what takes the space is listed by sender and attachment, and together it is what is counted', async () => {
  const send = (email: string, size: number, filename?: string) =>
    deliver(
      {
        headers: { From: email, ...(filename ? { 'Content-Type': `application/pdf; name="${filename}"` } : {}) },
        body: 'x'.repeat(size),
      },
      { to: desk.address },
    );
  await send('ann@quark.example', 2_000);
  const large = await send('Eve <EVE@far.example>', 30_000, 'large.pdf');
  await send('eve@far.example', 20_000, 'small.pdf');
  await addNote(desk.actor, addNoteInput.parse({ conversationId: large.conversationId, text: 'Spam?' }));
  await deleteConversation(desk.actor, { conversationId: large.conversationId, permanent: false });

  const found = await getLargestRecords(desk.actor);
  expect(found.senders).toMatchObject([
    { email: 'eve@far.example', displayName: 'Eve', conversations: 1 },
    { email: 'ann@quark.example', conversations: 1 },
  ]);
  expect(found.senders.reduce((sum, { bytes }) => sum + bytes, found.trashBytes)).toBe(await used());
  expect(found.attachments).toMatchObject([
    { filename: 'large.pdf', conversationId: large.conversationId, fromEmail: 'EVE@far.example' },
    { filename: 'small.pdf' },
  ]);
  expect(found.trashBytes).toBeGreaterThan(30_000);
  expect(found.trashBytes).toBeLessThan(40_000);
  expect(await showStorageAsOperator({ identity: desk.handle })).toEqual({
    current: await used(),
    limit: expect.any(Number),
    ...found,
  });
  const other = await createTestDesk();
  expect(await getLargestRecords(other.actor)).toEqual({ senders: [], attachments: [], trashBytes: 0 });
});
