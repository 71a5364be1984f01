import { afterAll, beforeAll, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { closeRenderPool } from '@/server/platform/rendering/render-pool';
import { longestTurnOf } from '@/server/testing/cpu-time';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { findJob, running } from '@/server/testing/jobs';
import { deliver } from '@/server/testing/mail';
import { deleteAttachment } from './attachment.service';
import { messagePage, messageRendering } from './message-page.service';

withFreshDatabase();

let desk: TestIdentity;
const deliverHtml = async (html: string) => {
  const headers = { 'Content-Type': 'multipart/mixed; boundary=b' };
  const image = 'Content-Type: image/png\nContent-ID: <pic@x>\n\nx';
  const body = `--b\nContent-Type: text/html\n\n${html}\n--b\n${image}\n--b--\n`;
  return (await deliver({ headers, body }, { to: 'desk@here.example' })).messageId;
};
const heavy = '<p>Hello<img src="cid:pic@x"><img src="https://elsewhere.example/a.png">'.replace(
  '<p>',
  `<p>${'<b>x</b>\n'.repeat(4_000)}`,
);

interface Stored {
  remote_images: boolean;
  version: number;
  page: string;
}
const stored = async (messageId: string) =>
  (
    await pool().query<Stored>(
      'SELECT remote_images, version, page FROM message_renderings WHERE message_id = $1 ORDER BY remote_images',
      [messageId],
    )
  ).rows;

beforeAll(async () => {
  desk = await createTestIdentity({ address: 'desk@here.example' });
});
afterAll(closeRenderPool);

const runJob = (messageId: string) => messageRendering.run(running({ identityId: desk.identityId, messageId }));

test('light HTML is rendered when it is read, and not stored', async () => {
  const messageId = await deliverHtml('<p>Hello');
  expect(await messagePage(desk.actor, messageId, false)).toContain('<p>Hello');
  expect([await findJob(messageRendering, messageId), await stored(messageId)]).toEqual([undefined, []]);
});

test('heavy HTML is rendered once, after it arrived', async () => {
  const messageId = await deliverHtml(heavy);
  expect(await findJob(messageRendering, messageId)).toBeDefined();
  await runJob(messageId);
  const [made, ...others] = await stored(messageId);
  expect([made?.remote_images, others]).toEqual([false, []]);
  expect(made?.page).toContain(`?identity=${desk.identityId}`);
  expect(made?.page).not.toContain('elsewhere.example');
  await pool().query(`UPDATE message_renderings SET page = 'stored' WHERE message_id = $1`, [messageId]);
  expect(await messagePage(desk.actor, messageId, false)).toBe('stored');
  expect(await messagePage(desk.actor, messageId, true)).toContain('elsewhere.example');
  expect(await stored(messageId)).toHaveLength(2);
});

test('a stored page does not show an image that was deleted', async () => {
  const messageId = await deliverHtml(heavy);
  const url = '/api/mail/attachments/';
  expect(await messagePage(desk.actor, messageId, false)).toContain(url);
  const { rows } = await pool().query(
    'SELECT a.id AS "attachmentId", m.conversation_id AS "conversationId" FROM attachments a JOIN messages m ON m.id = a.message_id WHERE m.id = $1',
    [messageId],
  );
  await deleteAttachment(desk.actor, { messageId, ...rows[0] });
  expect(await stored(messageId)).toEqual([]);
  expect(await messagePage(desk.actor, messageId, false)).not.toContain(url);
});

test('what is missing, as after an upgrade, or was made by older rules is rendered when it is read', async () => {
  const messageId = await deliverHtml(heavy);
  const page = await messagePage(desk.actor, messageId, false);
  expect(await stored(messageId)).toMatchObject([{ page }]);
  await pool().query(`UPDATE message_renderings SET page = 'old', version = version - 1 WHERE message_id = $1`, [messageId]);
  expect(await messagePage(desk.actor, messageId, false)).toBe(page);
  expect(await stored(messageId)).toMatchObject([{ page }]);
});

test('a stored page takes no room from its owner, and is nobody else’s', async () => {
  const messageId = await deliverHtml(heavy);
  const used = async () =>
    (await pool().query('SELECT sum(bytes) AS bytes FROM storage_usage WHERE identity_id = $1', [desk.identityId])).rows[0].bytes;
  const before = await used();
  await runJob(messageId);
  expect(await used()).toBe(before);
  const stranger = await createTestIdentity();
  await expect(messagePage(stranger.actor, messageId, false)).rejects.toMatchObject({ code: 'not_found' });
});

test('a hostile mail leaves the event loop free, from its arrival to its page', async () => {
  let page = '';
  const longest = await longestTurnOf(async () => {
    const messageId = await deliverHtml('<p>a\n'.repeat(200_000));
    await runJob(messageId);
    page = await messagePage(desk.actor, messageId, false);
  });
  expect(page).toContain('<p>a');
  // Rendering it takes seconds.
  expect(longest).toBeLessThan(1_000);
});
