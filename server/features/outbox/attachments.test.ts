import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { simpleParser } from 'mailparser';
import { beforeAll, expect, test } from 'vitest';
import { recordDelivery } from '@/server/features/conversations/delivery.service';
import { newConversationInput } from '@/server/features/conversations/message.schema';
import { startConversation } from '@/server/features/conversations/new-conversation.service';
import { uploadAttachment } from '@/server/features/conversations/upload.service';
import { resendMail } from '@/server/features/mail/outbox-list.service';
import { prisma } from '@/server/platform/db/prisma';
import { env, overrideEnv } from '@/server/platform/env';
import { storeBytes } from '@/server/platform/files/content-store';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { settingsOf } from '@/server/testing/object-store';
import { withMailServer } from '@/server/testing/smtp-server';
import { sendMailJob } from './outbox.service';
import { sendMail } from './sending.service';

withFreshDatabase();
const mailServer = withMailServer();

let desk: TestIdentity;

beforeAll(async () => {
  desk = await createTestIdentity({ address: 'desk@here.example' });
});

interface File {
  filename: string;
  contentType: string;
  content: Uint8Array;
}

async function queue(files: File[], more: (attachmentIds: string[]) => object = () => ({})) {
  const attachmentIds = [];
  for (const { content, ...named } of files) {
    const { id } = await uploadAttachment(desk.actor, { ...(await storeBytes(content)), ...named }, {});
    attachmentIds.push(id);
  }
  const input = newConversationInput.parse({
    to: ['ann@quark.example'],
    subject: 'Files',
    text: 'Here they are.',
    attachmentIds,
    ...more(attachmentIds),
  });
  const { message } = await startConversation(desk.actor, input);
  const { id } = await prisma().outboxMail.findFirstOrThrow({ where: { messageId: message.id } });
  const state = () =>
    prisma().outboxMail.findUniqueOrThrow({ where: { id }, select: { state: true, error: true, refusals: true } });
  return { id, message, state };
}

const binary = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256);
const offer = { filename: 'Angebot für Müller & Söhne.pdf', contentType: 'application/pdf', content: binary };

test('attachments arrive as they were uploaded, with their names and types, in their order', async () => {
  const email = 'From: a@x.io\r\nSubject: Inner\r\n\r\nHello\r\n';
  const files = [
    offer,
    { filename: 'notes.txt', contentType: 'text/plain', content: Buffer.from('Zeile 1\nZeile 2 ü\n.\nend') },
    { filename: 'report.docx', contentType: 'application/octet-stream', content: Buffer.from('x') },
    { filename: 'forwarded.eml', contentType: 'message/rfc822', content: Buffer.from(email) },
    { filename: 'parts.bin', contentType: 'multipart/mixed', content: Buffer.from('--x\r\n\r\n--x--') },
  ];
  const { id, state } = await queue(files);
  await sendMail(id, recordDelivery);
  expect(await state()).toMatchObject({ state: 'sent' });
  const { attachments, text } = await simpleParser(mailServer.accepted[0]?.raw ?? '');
  expect(text?.trim()).toBe('Here they are.');
  expect(attachments.map(({ filename, contentType }) => [filename, contentType])).toEqual([
    [offer.filename, 'application/pdf'],
    ['notes.txt', 'text/plain'],
    ['report.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['forwarded.eml', 'message/rfc822'],
    ['parts.bin', 'application/octet-stream'],
  ]);
  const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
  expect(attachments.map(({ content }) => hashOf(content))).toEqual(files.map(({ content }) => hashOf(content)));
});

test('a picture of the text is inside of the email, beside what is attached', async () => {
  const png = { filename: 'map.png', contentType: 'image/png', content: Buffer.from('a map') };
  const { id } = await queue([offer, png], ([, map]) => ({ format: 'markdown', text: `Here:\n\n![Map](attachment:${map})` }));
  await sendMail(id, recordDelivery);
  const raw = mailServer.accepted.at(-1)?.raw ?? '';
  const { attachments, html } = await simpleParser(raw, { skipImageLinks: true });
  const related = attachments.find(({ filename }) => filename === 'map.png');
  expect(related).toMatchObject({ contentDisposition: 'inline', related: true });
  expect(html).toContain(`src="cid:${related?.cid}"`);
  expect(attachments.find(({ filename }) => filename === offer.filename)).toMatchObject({ contentDisposition: 'attachment' });
  expect(raw).toMatch(/multipart\/related/);
});

test('a mail with attachments has slots of its own, and is whole when it is tried again', async () => {
  const { id, state } = await queue([offer]);
  const job = await prisma().job.findFirstOrThrow({ where: { kind: sendMailJob.kind, key: id } });
  expect(job.lane).toBe('large-mail');
  mailServer.behave({ message: () => ({ code: 451, message: 'Later' }) });
  await sendMail(id, recordDelivery);
  expect(await state()).toMatchObject({ state: 'queued', error: expect.stringContaining('Later') });
  mailServer.behave({});
  await sendMail(id, recordDelivery);
  const { attachments } = await simpleParser(mailServer.accepted.at(-1)?.raw ?? '');
  expect(Buffer.from(binary).equals(attachments[0]?.content as Buffer)).toBe(true);
});

test('a mail is not sent without one of its attachments', async () => {
  const content = Buffer.from('soon gone');
  const { id, state, message } = await queue([{ filename: 'gone.txt', contentType: 'text/plain', content }]);
  const { sha256 } = await prisma().attachment.findFirstOrThrow({ where: { messageId: message.id } });
  await rm(path.join(env().DATA_DIR, 'files', sha256.slice(0, 2), sha256));
  await sendMail(id, recordDelivery);
  expect(mailServer.accepted).toEqual([]);
  expect(await state()).toMatchObject({
    state: 'failed',
    refusals: { 'ann@quark.example': 'The attachment gone.txt is no longer stored.' },
  });
  await storeBytes(content);
  await resendMail(desk.actor, id);
  await sendMail(id, recordDelivery);
  expect(await state()).toMatchObject({ state: 'sent' });
  expect((await simpleParser(mailServer.accepted[0]?.raw ?? '')).attachments).toHaveLength(1);
});

test('while the store can’t be reached, a mail with attachments waits', async () => {
  const { id, state } = await queue([offer]);
  overrideEnv({ FILES_URL: settingsOf('s3://key:secret@127.0.0.1:9/bucket?tls=off') });
  try {
    await sendMail(id, recordDelivery);
  } finally {
    overrideEnv({ FILES_URL: undefined });
  }
  expect(await state()).toMatchObject({ state: 'queued', error: 'The attachments can’t be read at the moment.' });
  await sendMail(id, recordDelivery);
  expect(await state()).toMatchObject({ state: 'sent' });
});
