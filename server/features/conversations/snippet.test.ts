import { beforeAll, beforeEach, expect, test } from 'vitest';
import { createApiKey } from '@/server/features/api-keys/api-key.service';
import { createCustomerInput } from '@/server/features/customers/customer.schema';
import { createCustomer } from '@/server/features/customers/customer.service';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { withFreshDatabase } from '@/server/testing/database';
import { committedEvents } from '@/server/testing/events';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { deliver } from '@/server/testing/mail';
import { withHttpServer } from '@/server/testing/rest';
import { newConversationInput } from './message.schema';
import { startConversation } from './new-conversation.service';
import { createSnippetInput, type FillSnippetInput, updateSnippetInput } from './snippet.schema';
import { createSnippet, deleteSnippet, fillSnippetFor, getSnippet, listSnippets, updateSnippet } from './snippet.service';
import { snippetsMaximum } from './snippet-text';
import { removeUnusedUploads, uploadAttachment } from './upload.service';

withFreshDatabase();
const call = withHttpServer();

let desk: TestIdentity;

beforeAll(async () => {
  desk = await createTestIdentity({ address: 'desk@here.example' });
});

beforeEach(async () => {
  await pool().query('DELETE FROM mail_snippets');
});

const create = (input: object = {}, of = desk) =>
  createSnippet(of.actor, createSnippetInput.parse({ name: 'Thanks', text: 'Thank you.', ...input }));

const update = (snippetId: string, input: object) => updateSnippet(desk.actor, updateSnippetInput.parse({ snippetId, ...input }));

async function upload(): Promise<string> {
  const file = { sha256: 'a'.repeat(64), size: 9, filename: 'terms.pdf', contentType: 'application/pdf' };
  return (await uploadAttachment(desk.actor, file, {})).id;
}

const send = (attachmentIds: string[]) =>
  startConversation(desk.actor, newConversationInput.parse({ to: ['ann@x.io'], subject: 'x', text: 'x', attachmentIds }));

const filesOf = (messageId: string) => prisma().attachment.findMany({ where: { messageId } });

async function removeUploadsOfYesterday(): Promise<void> {
  await pool().query(`UPDATE attachments SET uploaded_at = now() - interval '25 hours' WHERE message_id IS NULL`);
  await removeUnusedUploads();
}

test('is created, changed and deleted, with its events', async () => {
  const file = await upload();
  const { id, ...created } = await create({ name: '  Thanks ', attachmentIds: [file, file.toUpperCase()] });
  expect(created).toMatchObject({ name: 'Thanks', text: 'Thank you.', attachments: [{ id: file, filename: 'terms.pdf' }] });
  expect(await update(id, { text: 'Thanks!' })).toMatchObject({ name: 'Thanks', text: 'Thanks!', attachments: [{ id: file }] });
  const changed = await update(id, { name: 'THANKS', attachmentIds: [] });
  expect(changed).toMatchObject({ name: 'THANKS', text: 'Thanks!', attachments: [] });
  expect(await getSnippet(desk.actor, id)).toEqual(changed);
  await deleteSnippet(desk.actor, id);
  await expect(getSnippet(desk.actor, id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(deleteSnippet(desk.actor, id)).rejects.toMatchObject({ code: 'not_found' });
  const events = (await committedEvents(desk)).filter(({ type }) => type.startsWith('snippet'));
  expect(events.map(({ type, data }) => [type, 'object' in data ? data.previousAttributes?.name : null])).toEqual([
    ['snippet.created', undefined],
    ['snippet.updated', undefined],
    ['snippet.updated', 'Thanks'],
    ['snippet.deleted', undefined],
  ]);
});

test('all are listed by name, and another business has its own', async () => {
  const other = await createTestIdentity();
  await create({ name: 'Thanks' }, other);
  for (const name of ['opening hours', 'Thanks', 'Directions']) await create({ name });
  const { snippets, total } = await listSnippets(desk.actor);
  expect([snippets.map(({ name }) => name), total]).toEqual([['Directions', 'opening hours', 'Thanks'], 3]);
});

test('two of one name are refused, also when they come at once', async () => {
  const results = await Promise.allSettled(['thanks', 'Thanks', 'THANKS'].map((name) => create({ name })));
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  const problem = { code: 'conflict', details: { fields: { name: 'is taken' } } };
  await expect(create({ name: 'tHANKS' })).rejects.toMatchObject(problem);
  const { id } = await create({ name: 'Other' });
  await expect(update(id, { name: 'THANKS' })).rejects.toMatchObject(problem);
});

test('a business has at most 200, also when several are added at once', async () => {
  await pool().query(
    `INSERT INTO mail_snippets (identity_id, id, name, text, attachment_ids)
      SELECT $1, gen_random_uuid(), 'n' || n, 'x', '{}' FROM generate_series(1, $2::int) n`,
    [desk.identityId, snippetsMaximum - 1],
  );
  const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => create({ name })));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  await expect(create({ name: 'd' })).rejects.toThrow('A business has at most 200 snippets.');
});

test('names the field of what it refuses', async () => {
  const { messageId } = await deliver(
    { headers: { 'Content-Type': 'application/pdf; name="plan.pdf"' } },
    { to: 'desk@here.example' },
  );
  const [sent] = await filesOf(messageId);
  const fieldsOf = async (body: object) => {
    const answer = await call('POST', '/api/v1/snippets', { key: desk.key, json: { name: 'x', text: 'x', ...body } });
    expect(answer.status).toBe(400);
    return (answer.body as { details: { fields: object } }).details.fields;
  };
  expect(await fieldsOf({ text: 'Hello {{customer.nmae}}' })).toEqual({
    text: expect.stringContaining('unknown variable {{customer.nmae}}'),
  });
  expect(await fieldsOf({ text: ' \n' })).toEqual({ text: 'must not be empty' });
  expect(await fieldsOf({ name: ' ' })).toHaveProperty('name');
  expect(await fieldsOf({ attachmentIds: [desk.identityId] })).toEqual({ 'attachmentIds.0': 'is not an attachment' });
  expect(await fieldsOf({ attachmentIds: [sent?.id] })).toEqual({ 'attachmentIds.0': 'is of a message; upload the file' });
  expect((await listSnippets(desk.actor)).total).toBe(0);
});

test('its files are kept, and each email gets a copy', async () => {
  const [kept, unused] = [await upload(), await upload()];
  const { id } = await create({ attachmentIds: [kept] });
  await removeUploadsOfYesterday();
  const uploads = await prisma().attachment.findMany({ where: { id: { in: [kept, unused] } } });
  expect(uploads.map((attachment) => attachment.id)).toEqual([kept]);
  for (const { message } of [await send([kept]), await send([kept])]) {
    const [copy, ...others] = await filesOf(message.id);
    expect([copy?.filename, copy?.id === kept, others]).toEqual(['terms.pdf', false, []]);
  }
  expect(await getSnippet(desk.actor, id)).toMatchObject({ attachments: [{ id: kept }] });
  await deleteSnippet(desk.actor, id);
  await removeUploadsOfYesterday();
  expect(
    await prisma().attachment.findUnique({ where: { identityId_id: { identityId: desk.identityId, id: kept } } }),
  ).toBeNull();
});

test('an upload that is sent and put into a snippet at once is in one of both', async () => {
  for (let round = 0; round < 12; round++) {
    const file = await upload();
    const [sent, created] = await Promise.allSettled([send([file]), create({ name: `Round ${round}`, attachmentIds: [file] })]);
    expect(sent.status).toBe('fulfilled');
    const { messageId } = await prisma().attachment.findUniqueOrThrow({
      where: { identityId_id: { identityId: desk.identityId, id: file } },
    });
    expect(created.status).toBe(messageId === null ? 'fulfilled' : 'rejected');
  }
});

test('is filled in for a recipient', async () => {
  await prisma().identity.update({ where: { id: desk.identityId }, data: { displayName: 'The Desk' } });
  await prisma().user.update({ where: { id: desk.owner.userId }, data: { displayName: 'Mara Lind' } });
  const contacts = [{ email: 'ann@quark.example', displayName: 'Ann Quark' }];
  await createCustomer(desk.actor, createCustomerInput.parse({ company: 'Quark Ltd', contacts }));
  const other = await createTestIdentity();
  await createCustomer(
    other.actor,
    createCustomerInput.parse({ company: 'X', contacts: [{ email: 'bo@x.io', displayName: 'Bo X' }] }),
  );
  const file = await upload();
  const text =
    'Hello {{customer.firstName|there}} of {{customer.company}}, {{sender.name}}, {{business.name}}, {{customer.email}}';
  const { id: snippetId } = await create({ text, attachmentIds: [file] });
  const fill = (input: Partial<FillSnippetInput> = {}) => fillSnippetFor(desk.actor, { snippetId, ...input });
  expect(await fill({ email: 'ann@quark.example', displayName: 'A.' })).toEqual({
    text: 'Hello Ann of Quark Ltd, Mara Lind, The Desk, ann@quark.example',
    missing: [],
    attachments: [expect.objectContaining({ id: file })],
  });
  expect(await fill({ email: 'bo@x.io', displayName: 'Bo Lund' })).toMatchObject({
    text: 'Hello Bo of , Mara Lind, The Desk, bo@x.io',
    missing: ['customer.company'],
  });
  expect(await fill()).toMatchObject({
    text: 'Hello there of , Mara Lind, The Desk, ',
    missing: ['customer.company', 'customer.email'],
  });
});

test('a key that may not read customers can’t find out about one', async () => {
  const { id } = await create({ text: 'Hello {{customer.name|there}}' });
  const { key } = await createApiKey(desk.actor, { name: 'x', expiresAt: null, scopes: ['conversations:read'] });
  expect(await call('GET', `/api/v1/snippets/${id}/text`, { key })).toMatchObject({ status: 200, body: { text: 'Hello there' } });
  const asked = await call('GET', `/api/v1/snippets/${id}/text?email=ann%40quark.example`, { key });
  expect(asked).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
});
