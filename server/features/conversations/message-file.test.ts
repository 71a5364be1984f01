import { expect, test } from 'vitest';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { deliver, receiveBytes, testMessageId } from '@/server/testing/mail';
import { withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';
import { listMessages } from './conversation.service';
import { listMessagesInput } from './message.schema';

withFreshDatabase();
const call = withHttpServer();

type Desk = Awaited<ReturnType<typeof createTestDesk>>;

const body = `--b
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: 8bit

<p>Grüße</p><img src="cid:pic@x">
--b
Content-Type: image/png; name="pic.png"
Content-ID: <pic@x>
Content-Disposition: inline; filename="pic.png"
Content-Transfer-Encoding: base64

iVBORw0KGgo=
--b
Content-Type: application/pdf
Content-Disposition: attachment; filename*=UTF-8''%C3%9Cbersicht.pdf
Content-Transfer-Encoding: base64

${Buffer.from('%PDF-1.7 '.repeat(4_000)).toString('base64').replace(/.{76}/g, '$&\n')}
--b--
`;

async function messageIn({ actor }: Desk, conversationId: string) {
  const input = listMessagesInput.parse({ conversationId, includeAttachments: true });
  const [message] = (await listMessages(actor, input)).messages;
  if (!message) throw new Error('There is no message.');
  return message;
}

test('a message as a file is all of it, for every program that reads email', async () => {
  const [desk, other] = [await createTestDesk(), await createTestDesk()];
  const earlier = testMessageId();
  const headers = {
    From: 'Änne Quark <ann@quark.example>',
    Cc: 'Ben <ben@quark.example>, carol@quark.example',
    Subject: 'Übersicht: 1/2 "Räder"',
    References: earlier,
    'In-Reply-To': earlier,
    'Content-Type': 'multipart/mixed; boundary=b',
  };
  const { conversationId, messageId } = await deliver({ headers, body }, { to: desk.address });
  const path = `/api/v1/conversations/${conversationId}/messages/${messageId}/eml`;
  const answer = await call('GET', path, { key: desk.key });
  expect(answer.status).toBe(200);
  expect(answer.headers).toMatchObject({
    'content-type': 'message/rfc822',
    'content-disposition': expect.stringContaining("filename*=UTF-8''%C3%9Cbersicht%201%202%20R%C3%A4der.eml"),
    'x-content-type-options': 'nosniff',
  });
  const reception = await receiveBytes(answer.bytes, { to: other.address });
  if (reception.kind !== 'stored') throw new Error('The file is no email.');
  const [delivery] = reception.deliveries;
  const { from, to, cc, subject, text, html, messageIdHeader, inReplyTo, references, attachments } = await messageIn(
    desk,
    conversationId,
  );
  expect(attachments).toHaveLength(2);
  expect(await messageIn(other, delivery?.conversationId ?? '')).toMatchObject({
    ...{ from, to, cc, subject, html, messageIdHeader, inReplyTo, references },
    text: text.trim(),
    attachments: attachments.map(({ filename, contentType, contentId, isInline, sha256 }) => ({
      ...{ filename, contentType, contentId, isInline, sha256 },
    })),
  });

  const again = await call('GET', path, { key: desk.key, headers: { 'if-none-match': answer.headers.etag ?? '' } });
  expect(again.status).toBe(304);
  const inDashboard = await call('GET', `/api/mail/messages/${messageId}/eml`, {
    headers: { cookie: await sessionCookieOf(desk) },
  });
  expect(inDashboard.headers['content-type']).toBe('message/rfc822');
  const foreign = await call('GET', path, { key: other.key });
  expect(foreign.status).toBe(404);
});

test('a message is not in another conversation', async () => {
  const desk = await createTestDesk();
  const { messageId } = await deliver({}, { to: desk.address });
  const { conversationId } = await deliver({}, { to: desk.address });
  const answer = await call('GET', `/api/v1/conversations/${conversationId}/messages/${messageId}/eml`, { key: desk.key });
  expect(answer.status).toBe(404);
});
