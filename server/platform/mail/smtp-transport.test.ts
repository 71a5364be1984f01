import { createServer, type Server } from 'node:net';
import { simpleParser } from 'mailparser';
import { afterEach, describe, expect, test } from 'vitest';
import { cleanLine } from '../text';
import { offersSmtpUtf8, smtpOptions } from './smtp-options';
import { type OutboundMail, operatorTarget, SendFailure, SendInterrupted, sendOverSmtp } from './smtp-transport';

let server: Server | undefined;

afterEach(() => {
  server?.close();
});

/** No response at all. */
const silence = '';

/** A server that answers each command as configured, in bytes that no library would allow. */
async function startCrudeServer(answers: Record<string, string>): Promise<{ url: string; received: () => string }> {
  let received = '';
  server = createServer((socket) => {
    let inData = false;
    socket.on('error', () => undefined);
    socket.write('220 crude\r\n');
    socket.on('data', (chunk) => {
      const text = chunk.toString('latin1');
      received += text;
      if (inData && !received.includes('\r\n.\r\n')) return;
      const command = inData ? '.' : (/^[A-Z]+/.exec(text)?.[0] ?? '');
      inData = command === 'DATA';
      const answer = answers[command] ?? '250 Ok';
      if (answer !== silence) socket.write(`${answer}\r\n`);
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return { url: `smtp://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, received: () => received };
}

const mail: OutboundMail = {
  messageId: '<1@here.example>',
  from: { email: 'desk@here.example', displayName: 'The "Desk"\r\nBcc: evil@x.example' },
  to: [{ email: 'ann@quark.example', displayName: 'Ann' }],
  cc: [],
  recipients: ['ann@quark.example'],
  subject: 'Hello\r\nBcc: evil@x.example',
  text: 'Hi',
  html: '<p>Hi</p>',
  inReplyTo: '<abé@quark.example>',
  references: ['<first@quark.example>', '<abé@quark.example>'],
  date: new Date('2026-11-21T09:30:00Z'),
};

const data = { DATA: '354 Go on' };

describe('what a server says', () => {
  test('becomes one line that can be stored', async () => {
    const { url } = await startCrudeServer({ ...data, '.': '250 queued \0 as\u0007 1' });
    expect(await sendOverSmtp(operatorTarget(url), mail)).toEqual({ response: '250 queued as 1', rejected: [] });
  });

  test('against the mail is final; against us, it is not', async () => {
    const refusals: [Record<string, string>, boolean][] = [
      [{ ...data, '.': '554 5.7.1 No\0 way' }, true],
      [{ MAIL: '550 5.7.1 Not from you' }, true],
      [{ RCPT: '550 5.1.1 Nobody' }, true],
      [{ RCPT: '451 4.2.0 Later' }, false],
      [{ MAIL: '530 5.7.57 Client not authenticated to send mail' }, false],
      [{ RCPT: '530 5.7.0 Must issue a STARTTLS command first' }, false],
      [{ EHLO: '550 Go away', HELO: '550 Go away' }, false],
    ];
    for (const [answers, isPermanent] of refusals) {
      const { url } = await startCrudeServer(answers);
      const failure = await sendOverSmtp(operatorTarget(url), mail).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(SendFailure);
      expect([Object.keys(answers), (failure as SendFailure).isPermanent]).toEqual([Object.keys(answers), isPermanent]);
      expect((failure as SendFailure).message.includes('\0')).toBe(false);
      server?.close();
    }
  });
});

describe('a recipient who is refused', () => {
  test.each(['ann@bäcker.example', 'Ann@Quark.Example', '"a \\"b\\" c"@quark.example', '"a@b"@quark.example'])(
    'is named as we know them: %s',
    async (recipient) => {
      const { url } = await startCrudeServer({ RCPT: '550 5.1.1 Nobody' });
      const failure = await sendOverSmtp(operatorTarget(url), { ...mail, recipients: [recipient] }).catch(
        (error: unknown) => error,
      );
      expect((failure as SendFailure).rejected).toEqual([{ email: recipient, isPermanent: true, response: '550 5.1.1 Nobody' }]);
    },
  );
});

describe('what is sent', () => {
  test('has no header that a name or subject brought along, and no id that plain servers refuse', async () => {
    const { url, received } = await startCrudeServer(data);
    await sendOverSmtp(operatorTarget(url), mail);
    expect(received()).not.toMatch(/^Bcc:/im);
    expect(received()).toMatch(/^References: <first@quark\.example>\r$/m);
    expect(received()).not.toMatch(/^In-Reply-To:/m);
    expect(received()).toContain('RCPT TO:<ann@quark.example>');
  });

  test.each([
    ['a subject without a space', { subject: 'x'.repeat(1_200) }],
    ['a subject without a space, of other letters', { subject: 'ж'.repeat(1_200) }],
    ['a long word late in the subject', { subject: `Hello ${'x'.repeat(990)} world` }],
    ['a name without a space', { from: { email: 'desk@here.example', displayName: 'N'.repeat(1_200) } }],
    [
      'many recipients',
      { to: Array.from({ length: 100 }, (_, n) => ({ email: `n${n}@quark.example`, displayName: 'Ann "A" Quark' })) },
    ],
    [
      'a long id',
      { inReplyTo: `<${'i'.repeat(1_200)}@x.example>`, references: [`<${'r'.repeat(1_200)}@x.example>`, '<a@x.example>'] },
    ],
    ['many ids', { references: Array.from({ length: 200 }, (_, n) => `<${n}@quark.example>`) }],
    ['a line of text without an end', { text: 'x'.repeat(5_000), html: `<p>${'x'.repeat(5_000)}</p>` }],
  ])('has no line above 998 octets: %s', async (_, change) => {
    const { url, received } = await startCrudeServer(data);
    await sendOverSmtp(operatorTarget(url), { ...mail, ...change });
    const lines = received().split('\r\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(998);
    // A reader gets what was written.
    const parsed = await simpleParser(Buffer.from(received().slice(received().indexOf('DATA\r\n') + 6), 'latin1'));
    expect(parsed.subject).toBe(cleanLine((change as { subject?: string }).subject ?? mail.subject));
  });

  test('keeps a subject that looks like an encoded word as it is', async () => {
    const { url, received } = await startCrudeServer(data);
    await sendOverSmtp(operatorTarget(url), { ...mail, subject: 'See =?UTF-8?Q?secret?= here' });
    const parsed = await simpleParser(Buffer.from(received().slice(received().indexOf('DATA\r\n') + 6), 'latin1'));
    expect(parsed.subject).toBe('See =?UTF-8?Q?secret?= here');
  });
});

describe('an address with letters beyond ASCII before the @', () => {
  const international = { ...mail, to: [...mail.to, { email: 'josé@quark.example', displayName: 'José' }] };
  const reason = 'The mail server takes no addresses with letters beyond ASCII before the @ (it does not offer SMTPUTF8)';

  test('is used where the server offers SMTPUTF8', async () => {
    const { url, received } = await startCrudeServer({ ...data, EHLO: '250-crude\r\n250 SMTPUTF8' });
    const recipients = ['ann@quark.example', 'josé@quark.example'];
    expect(await sendOverSmtp(operatorTarget(url), { ...international, recipients })).toMatchObject({ rejected: [] });
    const sent = Buffer.from(received(), 'latin1').toString('utf8');
    expect(sent).toMatch(/^MAIL FROM:<desk@here\.example> SMTPUTF8/m);
    expect(sent).toContain('RCPT TO:<josé@quark.example>');
    expect(sent).toMatch(/^To: .*<josé@quark\.example>/m);
  });

  test('is refused for that recipient where it does not, and the others get the mail in ASCII', async () => {
    const { url, received } = await startCrudeServer(data);
    const recipients = ['ann@quark.example', 'josé@quark.example'];
    const result = await sendOverSmtp(operatorTarget(url), { ...international, recipients });
    expect(result.rejected).toEqual([{ email: 'josé@quark.example', isPermanent: true, response: reason }]);
    expect(received()).toMatch(/^[\r\n -~]*$/);
    expect(received()).toMatch(/^To: Ann <ann@quark\.example>\r$/m);
    expect(received()).not.toMatch(/RCPT TO:<jos/);
  });

  test('is a clear failure where no one is left, or it is the sender’s', async () => {
    const { url } = await startCrudeServer(data);
    const failure = (change: Partial<OutboundMail>) =>
      sendOverSmtp(operatorTarget(url), { ...mail, ...change }).catch((error: unknown) => error);
    for (const change of [{ recipients: ['josé@quark.example'] }, { from: { email: 'büro@here.example', displayName: null } }])
      expect(await failure(change)).toMatchObject({ isPermanent: true, message: expect.stringContaining(reason) });
  });

  test('is tried again later when the server falls silent after its greeting; the wait is that for a greeting', async () => {
    const { url, received } = await startCrudeServer({ EHLO: silence });
    await expect(offersSmtpUtf8(smtpOptions(url), undefined, 100)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
    expect(received()).toMatch(/^EHLO /);
  });

  test('keeps no one who stops from stopping while the server says nothing', async () => {
    const { url, received } = await startCrudeServer({ EHLO: silence });
    const stop = new AbortController();
    const sending = sendOverSmtp(
      operatorTarget(url),
      { ...international, recipients: ['josé@quark.example'] },
      stop.signal,
    ).catch((error: unknown) => error);
    await expect.poll(received).toMatch(/^EHLO /);
    stop.abort();
    const outcome = await sending;
    expect(outcome).toBeInstanceOf(SendInterrupted);
    expect((outcome as SendInterrupted).mayBeAccepted).toBe(false);
  });

  test('that is only mentioned is left out', async () => {
    const { url, received } = await startCrudeServer({ ...data, EHLO: '250-crude\r\n250 SMTPUTF8' });
    await sendOverSmtp(operatorTarget(url), { ...international, recipients: ['ann@quark.example'] });
    expect(received()).toMatch(/^[\r\n -~]*$/);
  });
});

describe('encryption', () => {
  test('is needed outside this machine unless the address says otherwise', () => {
    const requiresTls = (url: string) => smtpOptions(url).requireTLS ?? false;
    for (const url of [
      'smtp://mail.example',
      'smtp://u:p@192.0.2.1:587',
      'smtp://mail.example?tls=required',
      'smtp://10.0.0.7:25',
    ])
      expect([url, requiresTls(url)]).toEqual([url, true]);
    for (const url of [
      'smtp://mail.example?tls=optional',
      'smtp://localhost:25',
      'smtp://127.0.0.1',
      'smtp://[::1]:2525',
      'smtps://mail.example',
    ])
      expect([url, requiresTls(url)]).toEqual([url, false]);
    expect(smtpOptions('smtp://mail.example:25?tls=optional&name=here')).toMatchObject({
      host: 'mail.example',
      port: 25,
      name: 'here',
    });
  });

  test('that the server does not offer keeps password and mail here, and is tried again later', async () => {
    const { url, received } = await startCrudeServer({ ...data, STARTTLS: '502 5.5.1 Not here' });
    // Another name of this machine that is treated as external.
    const outside = url.replace('127.0.0.1', 'user:secret@0.0.0.0');
    const failure = await sendOverSmtp(operatorTarget(outside), mail).catch((error: unknown) => error);
    expect(failure).toMatchObject({ isPermanent: false, message: expect.stringContaining('tls=optional') });
    expect(received()).not.toMatch(/AUTH|MAIL/);
    await sendOverSmtp(operatorTarget(`${outside}?tls=optional`), mail).catch(() => undefined);
    expect(received()).toMatch(/MAIL|AUTH/);
  });
});
