import { createServer, type Server } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, test } from 'vitest';
import { testCertificates } from '@/server/testing/certificates';
import { withFreshDatabase } from '@/server/testing/database';
import { startDrippingServer } from '@/server/testing/dripping-server';
import { startTestMailServer, type TestMailServer } from '@/server/testing/smtp-server';
import { freePort } from '../db/free-port';
import type { MailSecurity, MailServer } from './mail-server';
import { sendOverSmtp } from './smtp-transport';
import { submissionOptions, trySubmission } from './submission';

withFreshDatabase({ OUTBOUND_ALLOWLIST: '127.0.0.1' });

const { signal } = new AbortController();
const known: MailServer = {
  ...{ host: '127.0.0.1', port: 465, security: 'tls', username: 'shop', password: 'right' },
  ca: testCertificates.local.cert,
};
const attempt = (changes: Partial<MailServer>) => trySubmission({ ...known, ...changes }, signal);

describe.each<MailSecurity>(['tls', 'starttls'])('a server with %s', (security) => {
  let mailServer: TestMailServer;
  afterEach(() => mailServer.close());

  async function started(): Promise<MailServer> {
    mailServer = await startTestMailServer({ security, password: 'right' });
    return { ...known, port: mailServer.port, security };
  }

  test('is signed in to, and sends nothing, to try it out', async () => {
    await trySubmission(await started(), signal);
    expect(mailServer.accepted).toEqual([]);
  });

  test('sends what its user writes', async () => {
    const options = await submissionOptions(await started(), signal);
    const [from, ann] = ['shop@quark.example', 'ann@quark.example'].map((email) => ({ email, displayName: null }));
    if (!from || !ann) throw new Error('there are two of them');
    await sendOverSmtp(
      { options, credentialsOf: 'the mailbox shop@quark.example' },
      {
        ...{ messageId: '<1@quark.example>', from, to: [ann], cc: [], recipients: [ann.email], subject: 'Hello', text: 'Hi' },
        ...{ html: '<p>Hi</p>', inReplyTo: null, references: [], date: new Date() },
      },
    );
    expect(mailServer.accepted).toMatchObject([
      {
        user: 'shop',
        from: 'shop@quark.example',
        recipients: ['ann@quark.example'],
        raw: expect.stringMatching(/^Subject: Hello/m),
      },
    ]);
  });

  test('refuses a wrong password in its own words', async () => {
    const server = await started();
    await expect(trySubmission({ ...server, password: 'wrong' }, signal)).rejects.toMatchObject({
      code: 'credentials',
      message: expect.stringMatching(/127\.0\.0\.1 refused the user name or password\. It said: 535 5\.7\.8 Wrong password/),
    });
  });

  test('gets no password if its certificate is not trusted', async () => {
    const server = await started();
    for (const changes of [{ ca: testCertificates.first.cert }, { host: 'localhost', ca: testCertificates.first.cert }]) {
      await expect(trySubmission({ ...server, ...changes }, signal)).rejects.toMatchObject({ code: 'certificate' });
    }
  });
});

describe('a server', () => {
  let listener: Server | undefined;
  afterEach(() => new Promise((resolve) => (listener ? listener.close(resolve) : resolve(undefined))));

  test('that is not of the public internet is not connected to', async () => {
    await expect(attempt({ host: '127.0.0.2' })).rejects.toMatchObject({ code: 'address_forbidden' });
    await expect(attempt({ host: '10.0.0.1' })).rejects.toMatchObject({ code: 'address_forbidden' });
    for (const port of [25, 993, 2525]) {
      await expect(attempt({ host: '8.8.8.8', port })).rejects.toMatchObject({ code: 'address_forbidden' });
    }
  });

  test('that nothing answers for is said', async () => {
    const port = await freePort();
    await expect(attempt({ port })).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining(`127.0.0.1:${port}`),
    });
  });

  test('that answers bit by bit is left when there is no more time', async () => {
    const dripping = await startDrippingServer('220-');
    try {
      const late = AbortSignal.timeout(200);
      await expect(trySubmission({ ...known, port: dripping.port, security: 'starttls' }, late)).rejects.toThrow();
      await expect.poll(() => dripping.open.size).toBe(0);
    } finally {
      await dripping.close();
    }
  });

  test('that offers no sign-in is none for members', async () => {
    const open = new SMTPServer({ ...testCertificates.local, secure: true, authOptional: true, disabledCommands: ['AUTH'] });
    const port = await freePort();
    await new Promise<void>((resolve) => open.listen(port, '127.0.0.1', resolve));
    await expect(attempt({ port })).rejects.toMatchObject({ code: 'credentials' });
    await new Promise<void>((resolve) => open.close(resolve));
  });

  test('without encryption gets no password', async () => {
    let received = '';
    const port = await freePort();
    listener = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('220 ready\r\n');
      socket.on('data', (data) => {
        received += data;
        socket.write('250-ready\r\n250 AUTH PLAIN LOGIN\r\n');
      });
    });
    await new Promise<void>((resolve) => listener?.listen(port, '127.0.0.1', resolve));
    await expect(attempt({ port, security: 'starttls' })).rejects.toMatchObject({ code: 'encryption' });
    await expect(attempt({ port, security: 'tls' })).rejects.toMatchObject({ code: 'encryption' });
    expect(received).toMatch(/EHLO/);
    expect(received).not.toMatch(/AUTH/);
  });
});
