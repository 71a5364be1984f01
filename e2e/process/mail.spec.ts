import type { APIRequestContext } from '@playwright/test';
import nodemailer from 'nodemailer';
import { expect, test, within } from '../support/base-test';
import { clientOf, kill } from '../support/demo';
import { freePort, startInstallation } from '../support/installation';
import { type OutsideMailServer, startOutsideMailServer } from '../support/outside-mail-server';
import { createDesk } from '../support/own-installation';

/** Mail and `kill -9`: what was acknowledged is there, once; what was answered is sent. */

const inboundSecret = 'secret-of-this-test';

interface Outgoing {
  subject: string;
  messageId: string;
}

/** Delivers messages one after the other over each of several connections, until one is not acknowledged. */
async function deliverUntilCut(port: number, to: string, made: Outgoing[], acknowledged: Set<string>): Promise<void> {
  const connection = async (number: number) => {
    const transport = nodemailer.createTransport({
      host: '127.0.0.1',
      port,
      ignoreTLS: true,
      pool: true,
      maxConnections: 1,
      maxRequeues: 0,
    });
    try {
      for (let n = 0; n < 10_000; n++) {
        const message = { subject: `Kept ${number}-${n}`, messageId: `<${number}-${n}@quark.example>` };
        made.push(message);
        await transport.sendMail({
          ...message,
          from: 'ann@quark.example',
          to,
          text: 'x',
          attachments: [{ filename: 'a', content: `${number}-${n}` }],
        });
        acknowledged.add(message.messageId);
      }
    } catch {
      // The server is gone, which is what this is about.
    } finally {
      transport.close();
    }
  };
  await Promise.all([1, 2, 3, 4].map(connection));
}

test('a message that was acknowledged survives kill -9, and comes once however often it is sent again', async ({ request }) => {
  const port = await freePort();
  const settings = { INBOUND_SMTP_PORT: String(port) };
  const first = await startInstallation({ settings });
  const { key, address } = await createDesk(first);
  const [made, acknowledged] = [[] as Outgoing[], new Set<string>()];
  const delivering = deliverUntilCut(port, address, made, acknowledged);
  await expect.poll(() => acknowledged.size).toBeGreaterThan(40);
  await kill(first);
  await delivering;

  const second = await startInstallation({ settings, dataDir: first.dataDir });
  try {
    const { get } = clientOf(request, second, key);
    const stored = async (): Promise<string[]> => {
      const ids: string[] = [];
      for (let offset = 0; ; offset += 100) {
        const page = await get(`/conversations?search=Kept&limit=100&offset=${offset}`);
        for (const { subject } of page.conversations) ids.push(subject);
        if (!page.hasMore) return ids;
      }
    };
    const subjects = await stored();
    const acknowledgedSubjects = made.filter(({ messageId }) => acknowledged.has(messageId)).map(({ subject }) => subject);
    expect(acknowledgedSubjects.filter((subject) => !subjects.includes(subject))).toEqual([]);
    // Who was not acknowledged sends again, and so does a careful one who was.
    const transport = nodemailer.createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
    for (const message of made.slice(-10))
      await transport.sendMail({ ...message, from: 'ann@quark.example', to: address, text: 'x' });
    const after = await stored();
    expect(new Set(after).size).toBe(after.length);
    expect(after.sort()).toEqual(made.map(({ subject }) => subject).sort());
  } finally {
    await second.stop();
  }
});

test('what was cancelled is not sent after kill -9, and what was not, is', async ({ request }) => {
  const outside = await startOutsideMailServer();
  const settings = { SMTP_URL: outside.url };
  const first = await startInstallation({ settings });
  const { key } = await createDesk(first);
  const { post } = clientOf(request, first, key);
  const subjects = Array.from({ length: 16 }, (_, number) => `Held ${number}.`);
  const cancelled = await Promise.all(
    subjects.map(async (subject, number) => {
      const { message } = await post('/conversations', { to: ['ann@quark.example'], subject, text: 'x', holdSeconds: 5 });
      if (number % 2 === 1) return null;
      const path = `/api/v1/conversations/${message.conversationId}/messages/${message.id}/cancel`;
      const response = await request.post(`${first.baseUrl}${path}`, { headers: { Authorization: `Bearer ${key}` } });
      // On a slow machine its time may have come.
      return response.status() === 200 ? subject : null;
    }),
  );
  await kill(first);
  const second = await startInstallation({ settings, dataDir: first.dataDir });
  try {
    const wanted = subjects.filter((subject) => !cancelled.includes(subject));
    const sent = () => subjects.filter((subject) => outside.accepted.some(({ raw }) => raw.includes(`Subject: ${subject}`)));
    await expect.poll(sent, { timeout: within(20) }).toEqual(wanted);
    const { get } = clientOf(request, second, key);
    expect((await get('/drafts')).drafts).toHaveLength(subjects.length - wanted.length);
    expect((await get('/conversations?limit=100')).conversations).toHaveLength(wanted.length);
    expect(wanted.length).toBeLessThan(subjects.length);
  } finally {
    await second.stop();
    await outside.close();
  }
});

test.describe('a reply', () => {
  let outside: OutsideMailServer;

  test.beforeEach(async () => {
    outside = await startOutsideMailServer();
  });

  test.afterEach(() => outside.close());

  /** Starts a server, replies, and kills the server at the moment `at` names: before or after the other side has accepted. */
  async function replyAndKill(request: APIRequestContext, at: 'before' | 'after') {
    const settings = { SMTP_URL: outside.url, INBOUND_SECRET: inboundSecret };
    const first = await startInstallation({ settings });
    const { key, address } = await createDesk(first);
    const raw = `From: ann@quark.example\r\nTo: ${address}\r\nSubject: Brakes\r\nMessage-ID: <b@quark.example>\r\n\r\nHello`;
    const headers = { Authorization: `Bearer ${inboundSecret}` };
    const url = `${first.baseUrl}/api/inbound/email?recipient=${address}`;
    const { conversationId } = await (await request.post(url, { headers, data: Buffer.from(raw) })).json();
    const { post } = clientOf(request, first, key);
    const killed = new Promise<void>((resolve) => {
      outside.behave({
        message: ({ raw }) => {
          if (!raw.includes('On our way')) return undefined;
          void kill(first).then(resolve);
          return at === 'before' ? { code: 451, message: '4.3.0 Too late' } : 'hang-up';
        },
      });
    });
    const message = await post(`/conversations/${conversationId}/messages`, { text: 'On our way' });
    await killed;
    outside.behave({});
    return { first, key, message };
  }

  for (const at of ['before', 'after'] as const) {
    test(`is sent though the server was killed ${at} the other side had accepted it`, async ({ request }) => {
      const { first, key, message } = await replyAndKill(request, at);
      const second = await startInstallation({ settings: { SMTP_URL: outside.url }, dataDir: first.dataDir });
      try {
        const { get } = clientOf(request, second, key);
        const status = async () => {
          const { messages } = await get(`/conversations/${message.conversationId}/messages?direction=outbound`);
          return messages.find(({ id }: { id: string }) => id === message.id)?.status;
        };
        await expect.poll(status, { timeout: within(8) }).toBe('sent');
        const accepted = outside.accepted.filter(({ raw }) => raw.includes('On our way'));
        expect(accepted).toHaveLength(at === 'before' ? 1 : 2);
        for (const { raw } of accepted) expect(raw).toContain(message.messageIdHeader);
      } finally {
        await second.stop();
      }
    });
  }
});
