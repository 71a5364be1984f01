import { on, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import os from 'node:os';
import { createInterface } from 'node:readline';
import nodemailer from 'nodemailer';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { mailReceiver } from '@/server/features/mail/receiver.service';
import { flushSecurityLog } from '@/server/platform/auth/security-log';
import { pool } from '@/server/platform/db/pool';
import { prisma } from '@/server/platform/db/prisma';
import { overrideEnv } from '@/server/platform/env';
import { log } from '@/server/platform/log';
import { setForProcess, takeFromProcess } from '@/server/platform/process-globals';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { mailBytes } from '@/server/testing/mail';
import { converse as converseOn } from '@/server/testing/smtp-client';
import { maximumMailBytes, type RawMail } from './raw-mail';
import { type MailReceiver, type SmtpListener, startSmtpListener } from './smtp-listener';

withFreshDatabase({ HOST: '127.0.0.1' });

let desk: TestIdentity;
let listener: SmtpListener;
/** Runs before the real receiver, to inject faults. */
let fault: ((raw: RawMail) => Promise<void>) | undefined;

const receiver: MailReceiver = {
  isKnown: async (recipient, from) => recipient.endsWith('@many.example') || (await mailReceiver.isKnown(recipient, from)),
  receive: async (raw, envelope) => {
    await fault?.(raw);
    await mailReceiver.receive(raw, envelope);
  },
};

beforeAll(async () => {
  desk = await createTestIdentity({ address: 'desk@here.example' });
  listener = await startSmtpListener(0, receiver);
});

beforeEach(() => {
  fault = undefined;
});

afterAll(() => listener.close());

const converse = (...lines: (string | Buffer)[]) => converseOn(listener.port, lines);

/** A connection with half a message sent. */
async function beginMessage(): Promise<Socket> {
  const socket = connect(listener.port, '127.0.0.1');
  socket.on('error', () => undefined);
  const rest = [...hello, 'RCPT TO:<desk@here.example>', 'DATA'];
  for await (const [chunk] of on(socket, 'data')) {
    if (String(chunk).startsWith('354')) break;
    socket.write(`${rest.shift()}\r\n`);
  }
  socket.write('From: ann@quark.example\r\n\r\nHalf a');
  return socket;
}

const hello = ['EHLO client.example', 'MAIL FROM:<ann@quark.example>'];
const data = (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('\r\n.\r\n')]);
const countMessages = () => prisma().message.count({ where: { identityId: desk.identityId } });
const last = (answers: string[]) => answers.at(-1);

describe('a mail server', () => {
  test('is greeted by name, told the limit, and offered neither sign-in nor a certificate nobody chose', async () => {
    const socket = connect(listener.port, '127.0.0.1');
    const said: string[] = [];
    for await (const line of createInterface({ input: socket })) {
      said.push(line);
      if (said.length === 1) socket.write('EHLO client.example\r\n');
      if (/^250 /.test(line)) break;
    }
    socket.destroy();
    expect(said[0]).toBe(`220 ${os.hostname()} ESMTP Frontdesk`);
    const offered = said.join('\n');
    expect(offered).toContain(`SIZE ${maximumMailBytes}`);
    expect(offered).not.toMatch(/AUTH|STARTTLS|DSN/);
  });

  test('hears 250 when the message is stored, and not before', async () => {
    const before = await countMessages();
    let storedBefore: number | undefined;
    fault = async () => {
      storedBefore = await countMessages();
    };
    const answers = await converse(...hello, 'RCPT TO:<Desk@Here.example>', 'DATA', data(mailBytes()));
    expect(last(answers)).toMatch(/^250 2\.0\.0 /);
    expect(storedBefore).toBe(before);
    expect(await countMessages()).toBe(before + 1);
  });

  test('hears 550 of an unknown recipient, and the others get theirs', async () => {
    const answers = await converse(
      ...hello,
      'RCPT TO:<nobody@here.example>',
      'RCPT TO:<desk@here.example>',
      'DATA',
      data(mailBytes()),
    );
    expect(answers[3]).toMatch(/^550 5\.1\.1 /);
    expect(answers[4]).toMatch(/^250 /);
    expect(last(answers)).toMatch(/^250 /);
  });

  test.each([
    ['https://desk.example.com', 'desk.example.com'],
    ['http://192.0.2.7:3000', '[192.0.2.7]'],
    ['http://[2001:db8::7]:3000', '[IPv6:2001:db8::7]'],
  ])('is greeted by the host of %s: %s', async (PUBLIC_URL, name) => {
    overrideEnv({ PUBLIC_URL });
    const named = await startSmtpListener(0, receiver);
    try {
      const socket = connect(named.port, '127.0.0.1');
      const [greeting] = await once(socket, 'data');
      socket.destroy();
      expect(String(greeting)).toBe(`220 ${name} ESMTP Frontdesk\r\n`);
    } finally {
      overrideEnv({ PUBLIC_URL: undefined });
      await named.close();
    }
  });

  test('hears 555 of parameters that were not offered', async () => {
    for (const parameter of ['FOO', 'FOO=bar', 'RET=HDRS', 'AUTH=<>', 'BODY=8BITMIME FOO=1'])
      expect(last(await converse('EHLO x', `MAIL FROM:<ann@quark.example> ${parameter}`))).toMatch(/^555 5\.5\.4 /);
    expect(last(await converse(...hello, 'RCPT TO:<desk@here.example> NOTIFY=NEVER'))).toMatch(/^555 5\.5\.4 /);
    const usual = 'MAIL FROM:<ann@quark.example> SIZE=100 BODY=8BITMIME SMTPUTF8';
    expect(last(await converse('EHLO x', usual, 'RCPT TO:<desk@here.example>'))).toMatch(/^250 /);
  });

  test.each([
    'taro..yamada@carrier.example',
    'taro.@carrier.example',
    '"taro..yamada"@carrier.example',
    'www-data@web_01.shop.example',
  ])('may send for %s', async (sender) => {
    expect(last(await converse('EHLO x', `MAIL FROM:<${sender}>`, 'RCPT TO:<desk@here.example>'))).toMatch(/^250 /);
  });

  test('reaches a domain of other letters than ASCII, however it writes it', async () => {
    await createTestIdentity({ address: 'desk@xn--rder-loa.example' });
    for (const recipient of ['desk@xn--rder-loa.example', 'Desk@XN--RDER-LOA.example', 'desk@räder.example'])
      expect(last(await converse('EHLO x', 'MAIL FROM:<ann@quark.example> SMTPUTF8', `RCPT TO:<${recipient}>`))).toMatch(/^250 /);
  });

  test('may use the null return path; the message counts as automatic', async () => {
    await converse(
      'EHLO x',
      'MAIL FROM:<>',
      'RCPT TO:<desk@here.example>',
      'DATA',
      data(mailBytes({ headers: { Subject: 'Null' } })),
    );
    expect(await prisma().message.findFirstOrThrow({ where: { subject: 'Null' } })).toMatchObject({ isAutoReply: true });
  });

  test('keeps the message where it can’t be stored, and has it stored later', async () => {
    const bytes = mailBytes({ headers: { Subject: 'Later' } });
    const connection = pool();
    fault = async () => {
      takeFromProcess('pool');
    };
    const answers = await converse(...hello, 'RCPT TO:<desk@here.example>', 'DATA', data(bytes));
    setForProcess('pool', connection);
    expect(last(answers)).toMatch(/^451 /);
    fault = undefined;
    for (let time = 0; time < 2; time++) {
      expect(last(await converse(...hello, 'RCPT TO:<desk@here.example>', 'DATA', data(bytes)))).toMatch(/^250 /);
    }
    expect(await prisma().message.count({ where: { subject: 'Later' } })).toBe(1);
  });

  test('hears 452 where the disk is full', async () => {
    fault = async () => {
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' });
    };
    expect(last(await converse(...hello, 'RCPT TO:<desk@here.example>', 'DATA', data(mailBytes())))).toMatch(/^452 /);
  });

  test('hears 452 where the plan includes no more storage: at RCPT for one who is full, at the end for what does not fit', async () => {
    const small = await createTestIdentity({ address: 'small@here.example', plan: 'free' });
    overrideEnv({ PLAN_LIMITS: { free: { storageBytes: 3_000 } } });
    const send = (size: number) =>
      converse(...hello, 'RCPT TO:<small@here.example>', 'DATA', data(mailBytes({ body: 'x'.repeat(size) })));
    expect(last(await send(20_000))).toMatch(/^452 4\.2\.2 /);
    expect(last(await send(1_000))).toMatch(/^250 /);
    overrideEnv({ PLAN_LIMITS: { free: { storageBytes: 2_000 } } });
    const answers = await converse(
      ...hello,
      'RCPT TO:<small@here.example>',
      'RCPT TO:<desk@here.example>',
      'DATA',
      data(mailBytes()),
    );
    expect(answers[3]).toMatch(/^452 4\.2\.2 /);
    expect(last(answers)).toMatch(/^250 /);
    expect(await prisma().message.count({ where: { identityId: small.identityId } })).toBe(1);
    await flushSecurityLog();
    const noted = await prisma().securityEvent.findMany({ where: { kind: 'inbound_refused', reason: 'quota_exceeded' } });
    expect(new Set(noted.map(({ subject, address }) => `${subject} ${address}`))).toEqual(
      new Set(['null 127.0.0.1', 'small@here.example 127.0.0.1']),
    );
    overrideEnv({ PLAN_LIMITS: undefined });
  });

  test('hears 452 when the sender has sent too much today: at RCPT, or at the end for what is too much', async () => {
    const busy = await createTestIdentity({ address: 'busy@here.example', plan: 'free' });
    overrideEnv({ PLAN_LIMITS: { free: { senderBytesPerDay: 5_000 } } });
    const to = ['RCPT TO:<busy@here.example>', 'DATA'];
    const send = (from: string, size: number) =>
      converse('EHLO x', `MAIL FROM:<${from}>`, ...to, data(mailBytes({ body: 'x'.repeat(size) })));
    expect(last(await send('eve@far.example', 6_000))).toMatch(/^452 4\.7\.28 /);
    expect(last(await send('eve@far.example', 4_700))).toMatch(/^250 /);
    expect(last(await send('bob@far.example', 1_000))).toMatch(/^452 4\.7\.28 /);
    overrideEnv({ PLAN_LIMITS: { free: { senderBytesPerDay: 4_000 } } });
    expect((await send('bob@far.example', 1))[3]).toMatch(/^452 4\.7\.28 /);
    expect(last(await send('bob@near.example', 1_000))).toMatch(/^250 /);
    expect(await prisma().message.count({ where: { identityId: busy.identityId } })).toBe(2);
    await flushSecurityLog();
    const noted = await prisma().securityEvent.findMany({ where: { reason: 'sender_quota_exceeded' } });
    expect(new Set(noted.map(({ subject, address }) => `${subject} ${address}`))).toEqual(
      new Set(['null 127.0.0.1', 'busy@here.example 127.0.0.1']),
    );
    overrideEnv({ PLAN_LIMITS: undefined });
  });

  test('hears 552 of a message over the limit, which is put aside; the next one flows', async () => {
    expect(last(await converse('EHLO x', `MAIL FROM:<ann@quark.example> SIZE=${maximumMailBytes + 1}`))).toMatch(/^552 /);
    const oversized = Buffer.concat([mailBytes(), Buffer.from(`${'x'.repeat(998)}\r\n`.repeat(26_500))]);
    expect(last(await converse(...hello, 'RCPT TO:<desk@here.example>', 'DATA', data(oversized)))).toMatch(/^552 5\.3\.4 /);
    expect(await prisma().quarantinedMail.findFirstOrThrow({ where: { identityId: desk.identityId } })).toMatchObject({
      reason: 'too_large',
      isTruncated: true,
      size: maximumMailBytes,
    });
    expect(last(await converse(...hello, 'RCPT TO:<desk@here.example>', 'DATA', data(mailBytes())))).toMatch(/^250 /);
  });

  test('that hangs up in the middle of a message has not sent it', async () => {
    const before = await countMessages();
    const socket = await beginMessage();
    await new Promise<void>((resolve) => socket.end(resolve));
    expect(last(await converse(...hello, 'RCPT TO:<desk@here.example>', 'DATA', data(mailBytes())))).toMatch(/^250 /);
    expect(await countMessages()).toBe(before + 1);
  });

  test.each(['end', 'resetAndDestroy'] as const)('that drops the connection in DATA (%s) is no error of ours', async (drop) => {
    const error = vi.spyOn(log(), 'error');
    const info = vi.spyOn(log(), 'info');
    const socket = await beginMessage();
    socket[drop]();
    await expect
      .poll(() => info.mock.calls.map(([, message]) => message))
      .toContain('the client left in the middle of a message');
    expect(error).not.toHaveBeenCalled();
  });

  test('that names too many recipients is asked to come back with the rest', async () => {
    const recipients = Array.from({ length: 101 }, (_, index) => `RCPT TO:<r${index}@many.example>`);
    const answers = await converse(...hello, ...recipients);
    expect(last(answers)).toMatch(/^452 4\.5\.3 /);
  });
});

test('a real client’s messages arrive, many at once', async () => {
  const transport = nodemailer.createTransport({
    host: '127.0.0.1',
    port: listener.port,
    pool: true,
    maxConnections: 10,
    ignoreTLS: true,
  });
  const before = await countMessages();
  const sent = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      transport.sendMail({
        from: `Sender ${index} <s${index}@quark.example>`,
        to: 'desk@here.example',
        subject: `Grüße ${index} 🚲`,
        text: 'Hello',
        attachments: [{ filename: 'a.bin', content: Buffer.alloc(50_000, index) }],
      }),
    ),
  );
  transport.close();
  expect(sent.every(({ response }) => response.startsWith('250'))).toBe(true);
  expect(await countMessages()).toBe(before + 50);
  expect(await prisma().message.count({ where: { subject: 'Grüße 7 🚲', attachmentCount: 1 } })).toBe(1);
});

/** Opens `count` concurrent connections, and closes them. @returns how many were accepted; the others got a temporary error */
async function welcomed(count: number): Promise<number> {
  const sockets = Array.from({ length: count }, () => connect(listener.port, '127.0.0.1'));
  const greetings = await Promise.all(
    sockets.map((socket) => new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString())))),
  );
  for (const socket of sockets) socket.destroy();
  const welcome = greetings.filter((greeting) => greeting.startsWith('220 ')).length;
  expect(greetings.filter((greeting) => greeting.startsWith('421 '))).toHaveLength(count - welcome);
  return welcome;
}

test('one address has only so many connections, and gets them back', async () => {
  await expect.poll(() => welcomed(170)).toBe(150);
  // Refused connections do not affect the count.
  await expect.poll(() => welcomed(170)).toBe(150);
  await expect.poll(() => welcomed(150)).toBe(150);
  await flushSecurityLog();
  const where = { kind: 'inbound_refused', reason: 'too_many_connections', address: '127.0.0.1' };
  const { _sum } = await prisma().securityEvent.aggregate({ where, _sum: { count: true } });
  expect(_sum.count).toBeGreaterThanOrEqual(20);
});

test('a taken port or a missing certificate is one clear line', async () => {
  await expect(startSmtpListener(listener.port, receiver)).rejects.toThrow(
    /Can't listen for mail on 127\.0\.0\.1:\d+ \(EADDRINUSE\)/,
  );
  overrideEnv({ INBOUND_TLS_CERT: '/nowhere/cert.pem', INBOUND_TLS_KEY: '/nowhere/key.pem' });
  await expect(async () => startSmtpListener(0, receiver)).rejects.toThrow(
    "INBOUND_TLS_CERT: can't read /nowhere/cert.pem (ENOENT).",
  );
  overrideEnv({ INBOUND_TLS_CERT: undefined, INBOUND_TLS_KEY: undefined });
});
