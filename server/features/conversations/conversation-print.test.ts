import { expect, test } from 'vitest';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { deliver, testMessageId } from '@/server/testing/mail';
import { withHttpServer } from '@/server/testing/rest';
import { sessionCookieOf } from '@/server/testing/session';
import { replyInput } from './message.schema';
import { addNoteInput } from './note.schema';
import { addNote } from './note.service';
import { replyTo } from './reply.service';

withFreshDatabase();
const call = withHttpServer();

test('a conversation is printed as one document: its messages in order, and nothing that runs, loads or is internal', async () => {
  const desk = await createTestDesk();
  const id = testMessageId();
  const html =
    '<style>p { color: red }</style><p onclick="x()">Hello <b>there</b></p><script>alert(1)</script><img src="https://tracker.example/a.png">';
  const { conversationId } = await deliver(
    {
      headers: {
        'Message-ID': id,
        Subject: '<b>Brakes</b>',
        Date: 'Fri, 02 Jan 2026 23:30:00 +0000',
        'Content-Type': 'text/html',
      },
      body: html,
    },
    { to: desk.address, receivedAt: new Date('2026-01-02T23:30:00Z') },
  );
  await addNote(desk.actor, addNoteInput.parse({ conversationId, text: 'An internal remark' }));
  await replyTo(desk.actor, replyInput.parse({ conversationId, text: 'It is <ready>.', cc: ['ben@quark.example'] }));
  await deliver({ headers: { References: id }, body: 'Thank you\n\n> It is ready.' }, { to: desk.address });
  const cookie = await sessionCookieOf(desk);
  const path = `/api/mail/conversations/${conversationId}/print?identity=${desk.identityId}`;
  const { status, headers, text } = await call('GET', `${path}&zone=Europe/Berlin`, { headers: { cookie } });
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; img-src 'self' data:; .*sandbox allow-same-origin .*allow-modals$/,
  );
  expect(text).toContain('<title>&lt;b&gt;Brakes&lt;/b&gt;</title>');
  // Between date and time, versions of the locale data write different words.
  const order =
    /Saturday,? 3 January 2026\D{1,5}00:30.*Hello <b>there<\/b>.*ben@quark\.example.*It is &lt;ready&gt;\..*Thank you/s;
  expect(text).toMatch(order);
  for (const absent of ['<blockquote', 'An internal remark', 'onclick', 'alert(1)', 'tracker.example'])
    expect(text).not.toContain(absent);
  const unknownZone = await call('GET', `${path}&zone=Nowhere/Land`, { headers: { cookie } });
  expect(unknownZone.text).toMatch(/Friday,? 2 January 2026\D{1,5}23:30/);

  const other = await createTestDesk();
  const foreign = await call('GET', `/api/mail/conversations/${conversationId}/print`, {
    headers: { cookie: await sessionCookieOf(other) },
  });
  expect(foreign.status).toBe(404);
  expect((await call('GET', path)).status).toBe(401);
});
