import { afterAll, beforeAll, expect, test } from 'vitest';
import { mailReceiver } from '@/server/features/mail/receiver.service';
import { prisma } from '@/server/platform/db/prisma';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { mailBytes } from '@/server/testing/mail';
import { converse } from '@/server/testing/smtp-client';
import { type SmtpListener, startSmtpListener } from './smtp-listener';

withFreshDatabase({ HOST: '127.0.0.1' });

let desk: TestIdentity;
let listener: SmtpListener;

beforeAll(async () => {
  desk = await createTestIdentity({ address: 'desk@here.example' });
  listener = await startSmtpListener(0, mailReceiver);
});
afterAll(() => listener.close());

/** Sends one message, and asks whether the connection goes on. @returns the last reply */
async function send(message: Buffer): Promise<string | undefined> {
  const data = Buffer.concat([message, Buffer.from('\r\n.\r\n')]);
  const lines = ['EHLO client.example', 'MAIL FROM:<ann@quark.example>', 'RCPT TO:<desk@here.example>', 'DATA', data, 'NOOP'];
  return (await converse(listener.port, lines)).at(-1);
}

const subjects = async () => {
  const found = await prisma().message.findMany({ where: { identityId: desk.identityId }, select: { subject: true } });
  return found.map(({ subject }) => subject);
};

// What some servers take for the end of a message, after which a second one of any sender could be smuggled (CVE-2023-51764).
test.each(['\n.\n', '\n.\r\n', '\r\n.\n', '\r.\r', '\r\n.\r', '\r.\r\n', '\r\n\0.\r\n'])(
  'a message ends with nothing but CRLF.CRLF, not %j',
  async (end) => {
    const smuggled =
      'MAIL FROM:<boss@here.example>\r\nRCPT TO:<desk@here.example>\r\nDATA\r\nFrom: boss@here.example\r\nSubject: Smuggled\r\n\r\nPay';
    const subject = `With ${JSON.stringify(end)}`;
    expect(await send(Buffer.concat([mailBytes({ headers: { Subject: subject } }), Buffer.from(`${end}${smuggled}`)]))).toMatch(
      /^250 /,
    );
    const stored = await subjects();
    expect(stored.filter((one) => one === subject)).toHaveLength(1);
    expect(stored).not.toContain('Smuggled');
  },
);

test('a server that speaks nonsense harms nobody', async () => {
  await converse(listener.port, [
    '\u0000\u0001 nonsense',
    'DATA',
    'RCPT TO:<desk@here.example>',
    Buffer.from([255, 254, 13, 10]),
  ]);
  expect(await send(mailBytes({ headers: { Subject: 'After it' } }))).toMatch(/^250 /);
  expect(await subjects()).toContain('After it');
});
