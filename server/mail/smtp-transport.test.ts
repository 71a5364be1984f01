import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { takeFromProcess } from '../process-registry';
import { type OutboundMail, SendFailure, sendOverSmtp } from './smtp-transport';

let server: Server | undefined;

afterEach(() => {
  takeFromProcess('smtp-transport');
  server?.close();
});

/** A server that answers each command as told, and says so in bytes no library would let through. */
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
      socket.write(`${answers[command] ?? '250 Ok'}\r\n`);
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
    expect(await sendOverSmtp(url, mail)).toEqual({ response: '250 queued as 1', rejected: [] });
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
      const failure = await sendOverSmtp(url, mail).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(SendFailure);
      expect([Object.keys(answers), (failure as SendFailure).isPermanent]).toEqual([Object.keys(answers), isPermanent]);
      expect((failure as SendFailure).message.includes('\0')).toBe(false);
      takeFromProcess('smtp-transport');
      server?.close();
    }
  });
});

describe('a recipient who is refused', () => {
  test.each(['ann@bäcker.example', 'Ann@Quark.Example', '"a \\"b\\" c"@quark.example', '"a@b"@quark.example'])(
    'is named as we know them: %s',
    async (recipient) => {
      const { url } = await startCrudeServer({ RCPT: '550 5.1.1 Nobody' });
      const failure = await sendOverSmtp(url, { ...mail, recipients: [recipient] }).catch((error: unknown) => error);
      expect((failure as SendFailure).rejected).toEqual([{ email: recipient, isPermanent: true, response: '550 5.1.1 Nobody' }]);
    },
  );
});

describe('what is sent', () => {
  test('has no header that a name or subject brought along, and no id that plain servers refuse', async () => {
    const { url, received } = await startCrudeServer(data);
    await sendOverSmtp(url, mail);
    expect(received()).not.toMatch(/^Bcc:/im);
    expect(received()).toMatch(/^References: <first@quark\.example>\r$/m);
    expect(received()).not.toMatch(/^In-Reply-To:/m);
    expect(received()).toContain('RCPT TO:<ann@quark.example>');
  });
});
