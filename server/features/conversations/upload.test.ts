import { createHash } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { getQuotaUse } from '@/server/features/usage/quota.service';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { openStored } from '@/server/platform/files/content-store';
import { withFreshDatabase } from '@/server/testing/database';
import { committedEvents } from '@/server/testing/events';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { deliver } from '@/server/testing/mail';
import { withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';
import { createApiKey } from '../api-keys/api-key.service';
import { deleteAttachment } from './attachment.service';
import { newConversationInput } from './message.schema';
import { startConversation } from './new-conversation.service';
import { removeUnusedUploads, uploadAttachment } from './upload.service';

withFreshDatabase();
const call = withHttpServer();

let desk: TestIdentity;
const content = 'An offer.';
const sha256 = createHash('sha256').update(content).digest('hex');

beforeAll(async () => {
  desk = await createTestIdentity({ address: 'desk@here.example' });
});

const post = (query = '', extra: Parameters<typeof call>[2] = {}) =>
  call('POST', `/api/v1/attachments${query}`, {
    ...{ key: desk.key, body: content, ...extra },
    headers: { 'content-type': 'application/pdf', ...extra.headers },
  });

async function upload(of = desk, size = 9): Promise<string> {
  const file = { sha256, size, filename: 'offer.pdf', contentType: 'application/pdf' };
  return (await uploadAttachment(of.actor, file, {})).id;
}

const send = (attachmentIds: string[], of = desk) =>
  startConversation(of.actor, newConversationInput.parse({ to: ['ann@x.io'], subject: 'x', text: 'x', attachmentIds }));

const attachmentsOf = (messageId: string) => prisma().attachment.findMany({ where: { messageId }, orderBy: { position: 'asc' } });

test('a file is uploaded as the body or in a form, and can be downloaded', async () => {
  const expected = { filename: 'Angebot ü.pdf', contentType: 'application/pdf', size: content.length, sha256 };
  const raw = await post(`?filename=${encodeURIComponent('/tmp/Angebot ü.pdf')}`);
  expect(raw).toMatchObject({ status: 201, body: { id: expect.any(String), ...expected } });
  const head = 'Content-Disposition: form-data; name="file"; filename="Angebot ü.pdf"\r\nContent-Type: application/pdf';
  const form = await post('', {
    body: `--x\r\n${head}\r\n\r\n${content}\r\n--x--\r\n`,
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  });
  expect(form).toMatchObject({ status: 201, body: expected });
  const { id } = form.body as { id: string };
  expect(await committedEvents(desk)).toEqual([]);
  expect(await call('GET', `/api/v1/attachments/${id}`, { key: desk.key })).toMatchObject({ status: 200, text: content });
});

test('the dashboard uploads with its session', async () => {
  const headers = {
    ...{ host: 'desk.example.com', origin: 'http://desk.example.com', 'sec-fetch-site': 'same-origin' },
    cookie: await sessionCookieOf(desk),
    'content-type': 'application/pdf',
  };
  const send = (extra: object = {}) =>
    call('POST', '/api/trpc/conversations.uploadAttachment?filename=offer.pdf', {
      body: content,
      headers: { ...headers, ...extra },
    });
  const expected = { filename: 'offer.pdf', contentType: 'application/pdf', size: content.length, sha256 };
  expect(await send()).toMatchObject({ status: 200, body: { result: { data: expected } } });
  expect(await send({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 });
  expect(await send({ cookie: '' })).toMatchObject({ status: 401 });
  const once = { 'idempotency-key': 'upload-1' };
  const [first, again] = [await send(once), await send(once)];
  expect(again.body).toEqual(first.body);
});

test('nothing of an upload is kept for a caller who may not send, and one without a file is refused', async () => {
  const reader = await createApiKey(desk.actor, { name: 'x', expiresAt: null, scopes: ['conversations:read'] });
  const before = await prisma().attachment.count();
  expect(await post('', { key: reader.key })).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
  expect(await post('', { body: '' })).toMatchObject({
    status: 400,
    body: { details: { fields: { file: expect.stringMatching(/^is required/) } } },
  });
  expect(await post('', { body: Buffer.alloc(10 * 1024 * 1024 + 1) })).toMatchObject({ status: 413 });
  expect(await prisma().attachment.count()).toBe(before);
});

test('a business whose storage is full is refused before the file is stored', async () => {
  const of = await createTestIdentity({ address: `desk@full-${desk.handle}.example`, plan: 'free' });
  await prisma().storageUsage.create({ data: { identityId: of.identityId, shard: 0, bytes: 2n ** 40n } });
  const stored = async () => openStored(createHash('sha256').update('never stored').digest('hex'));
  expect(await post('', { key: of.key, body: 'never stored' })).toMatchObject({ body: { code: 'quota_exceeded' } });
  expect(await stored()).toBeNull();
});

test('a repeated upload answers the same, also in a form with another boundary', async () => {
  const sendForm = (boundary: string, text = content) =>
    post('', {
      body: `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${text}\r\n--${boundary}--\r\n`,
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}`, 'idempotency-key': 'upload-2' },
    });
  const first = await sendForm('one');
  const again = await sendForm('two');
  expect(again.headers['idempotent-replayed']).toBe('true');
  expect(again.body).toEqual(first.body);
  expect(await sendForm('one', 'Another file')).toMatchObject({ status: 422 });
});

test('an upload becomes the attachment of the email that it is sent with, and can be sent again', async () => {
  const ids = [await upload(), await upload()];
  const { message } = await send(ids);
  expect(message.attachmentCount).toBe(2);
  const sent = await attachmentsOf(message.id);
  expect(sent.map(({ id }) => id)).toEqual(ids);
  const again = await send([ids[1] ?? '', ids[1] ?? '', ids[0] ?? '']);
  const copies = await attachmentsOf(again.message.id);
  expect(copies).toHaveLength(2);
  expect(copies.map(({ id }) => ids.includes(id))).toEqual([false, false]);
  expect(await attachmentsOf(message.id)).toEqual(sent);
});

test('sent by several at once, an upload is attached to each', async () => {
  const id = await upload();
  const sent = await Promise.all(Array.from({ length: 6 }, () => send([id])));
  const attached = await Promise.all(sent.map(({ message }) => attachmentsOf(message.id)));
  expect(attached.map((each) => each.map((attachment) => attachment.sha256))).toEqual(Array.from({ length: 6 }, () => [sha256]));
  expect(attached.flat().filter((attachment) => attachment.id === id)).toHaveLength(1);
});

test('unknown and foreign files are refused by name, and too many bytes; nothing is sent', async () => {
  const other = await createTestIdentity({ address: `desk@other-${desk.handle}.example` });
  const foreign = await upload(other);
  const messages = await prisma().message.count();
  const own = await upload();
  await expect(send([own, foreign])).rejects.toMatchObject({
    code: 'invalid_request',
    details: { fields: { 'attachmentIds.1': 'is not an attachment' } },
  });
  const large = [await upload(desk, 10_000_000), await upload(desk, 10_000_000), await upload(desk, 10_000_000)];
  await expect(send(large)).rejects.toMatchObject({
    details: { fields: { attachmentIds: expect.stringContaining('at most 26214400 bytes') } },
  });
  expect(await prisma().message.count()).toBe(messages);
  expect(await prisma().attachment.findFirst({ where: { id: own, messageId: null } })).not.toBeNull();
});

test('an attachment of a received message is sent again by those who may read it', async () => {
  const headers = { 'Content-Type': 'application/pdf; name="plan.pdf"' };
  const { messageId } = await deliver({ headers }, { to: 'desk@here.example' });
  const { id, sha256: hash } = await prisma().attachment.findFirstOrThrow({ where: { messageId } });
  const { key } = await createApiKey(desk.actor, { name: 'x', expiresAt: null, scopes: ['conversations:send'] });
  const json = { to: ['ann@x.io'], subject: 'x', text: 'x', attachmentIds: [id] };
  expect(await call('POST', '/api/v1/conversations', { key, json })).toMatchObject({
    status: 403,
    body: { details: { required: 'conversations:read' } },
  });
  const { message } = await send([id]);
  expect(await attachmentsOf(message.id)).toMatchObject([{ sha256: hash, filename: 'plan.pdf', uploadedAt: null }]);
});

test('uploads that are not sent are removed after 24 hours and free their storage; those that were sent stay', async () => {
  const of = await createTestIdentity({ address: `desk@swept-${desk.handle}.example` });
  const [old, sent, fresh] = [await upload(of, 3_000), await upload(of, 5_000), await upload(of, 7_000)];
  await send([sent], of);
  const use = async () => (await getQuotaUse(of.identityId)).storage.current;
  const before = await use();
  await pool().query(`UPDATE attachments SET uploaded_at = now() - interval '25 hours' WHERE id = ANY($1)`, [[old, sent]]);
  await removeUnusedUploads();
  const left = await prisma().attachment.findMany({ where: { identityId: of.identityId } });
  expect(left.map(({ id }) => id).sort()).toEqual([sent, fresh].sort());
  expect(before - (await use())).toBe(3_000);
});

test('an attachment can’t be deleted before it is sent', async () => {
  const { conversation, message } = await send([await upload()]);
  const [attachment] = await attachmentsOf(message.id);
  const ids = { conversationId: conversation.id, messageId: message.id, attachmentId: attachment?.id ?? '' };
  await expect(deleteAttachment(desk.actor, ids)).rejects.toMatchObject({ code: 'conflict' });
  await prisma().message.updateMany({ where: { id: message.id }, data: { status: 'sent' } });
  expect(await deleteAttachment(desk.actor, ids)).toEqual({ success: true });
});
