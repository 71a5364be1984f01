import { randomUUID } from 'node:crypto';
import { endBy } from '../support/bare-server';
import { expect, test, within } from '../support/base-test';
import { clientOf } from '../support/demo';
import { type Installation, startInstallation } from '../support/installation';
import { type OutsideMailServer, startOutsideMailServer } from '../support/outside-mail-server';
import { createDesk, databaseOf, queryDatabase } from '../support/own-installation';

/** The mail server of SMTP_URL takes messages and says nothing any more, which it may for ten minutes (RFC 5321, 4.5.3.2.6). */

const inboundSecret = 'secret-of-this-test';

let outside: OutsideMailServer;
let installation: Installation | undefined;

test.beforeEach(async () => {
  outside = await startOutsideMailServer();
});

test.afterEach(async () => {
  await installation?.stop();
  await outside?.close();
});

test('it holds up its mail and nothing else, not even a stop; afterwards each mail goes out once', async ({ request }) => {
  const settings = { SMTP_URL: outside.url, INBOUND_SECRET: inboundSecret };
  const first = await startInstallation({ settings });
  installation = first;
  const desk = await createDesk(first);
  const api = clientOf(request, first, desk.key);
  const raw = `From: ann@quark.example\r\nTo: ${desk.address}\r\nSubject: Brakes\r\nMessage-ID: <b@quark.example>\r\n\r\nHello`;
  const taken = await request.post(`${first.baseUrl}/api/inbound/email?recipient=${desk.address}`, {
    headers: { Authorization: `Bearer ${inboundSecret}` },
    data: Buffer.from(raw),
  });
  const { conversationId } = await taken.json();

  const held: string[] = [];
  outside.behave({
    message: (mail) => {
      held.push(mail.raw);
      return 'silent';
    },
  });
  const texts = Array.from({ length: 15 }, () => `Once ${randomUUID()}`);
  for (const text of texts) await api.post(`/conversations/${conversationId}/messages`, { text });
  await expect.poll(() => held.length).toBe(5);

  // Another job: a reminder that comes due while mail is stuck is written, and waits its turn to be sent.
  const start = Date.now() + 4_000;
  const times = { startTime: new Date(start).toISOString(), endTime: new Date(start + 3_600_000).toISOString() };
  const reminders = [{ type: 'email', value: 0, unit: 'minutes' }];
  await api.post('/calendar/events', { title: 'Kept appointment', ...times, reminders });
  const url = await databaseOf(first);
  const written = () => queryDatabase(url, `SELECT state FROM outbox_mails WHERE kind = 'event_reminder'`);
  await expect.poll(written).toEqual([{ state: 'queued' }]);
  expect(held).toHaveLength(5);

  const { code, ms } = await endBy('SIGTERM', first.process);
  expect(code).toBe(0);
  expect(ms).toBeLessThan(20_000);
  expect(first.output()).not.toContain('jobs were still at work');
  expect(outside.accepted).toEqual([]);

  outside.behave({});
  installation = await startInstallation({ settings, dataDir: first.dataDir });
  const marks = () =>
    outside.accepted.map(({ raw: mail }) => /Once [0-9a-f-]{36}|^Subject: Reminder: Kept/m.exec(mail)?.[0] ?? '').sort();
  const expected = [...texts, 'Subject: Reminder: Kept'].sort();
  await expect.poll(() => marks().length, { timeout: within(8) }).toBeGreaterThanOrEqual(expected.length);
  expect(marks()).toEqual(expected);
  // What was held is the same mail as what was accepted.
  const idOf = (mail: string) => /^Message-ID: *(\S+)/im.exec(mail)?.[1];
  const accepted = outside.accepted.map(({ raw: mail }) => idOf(mail));
  expect(held.map(idOf).filter((id) => !accepted.includes(id))).toEqual([]);
});
