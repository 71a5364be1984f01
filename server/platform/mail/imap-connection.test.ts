import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { testCertificates } from '@/server/testing/certificates';
import { withFreshDatabase } from '@/server/testing/database';
import { dovecot, startDovecot } from '@/server/testing/dovecot';
import { freePort } from '../db/free-port';
import { OutboundFailed, OutboundRefused } from '../fetch/outbound-error';
import { imapProblem, openImap } from './imap-connection';
import type { MailServer } from './mail-server';
import { MailboxProblem } from './mailbox-problem';

withFreshDatabase({ OUTBOUND_ALLOWLIST: '127.0.0.1' });

const server: MailServer = { host: 'imap.quark.example', port: 993, security: 'tls', username: 'ann', password: 'secret' };

const failure = (fields: object) => Object.assign(new Error('It failed.'), fields);

describe('why a mailbox can’t be read', () => {
  test.each<[string, Error, string, RegExp]>([
    [
      'a forbidden address',
      new OutboundRefused('10.0.0.1 is not an address of the public internet.'),
      'address_forbidden',
      /10\.0\.0\.1/,
    ],
    ['a host without an address', new OutboundFailed('imap.quark.example has no address.'), 'host_unknown', /no address/],
    ['an unknown host', failure({ code: 'ENOTFOUND' }), 'host_unknown', /The name imap\.quark\.example is not known/],
    ['a closed port', failure({ code: 'ECONNREFUSED' }), 'unreachable', /imap\.quark\.example:993/],
    ['silence', failure({ code: 'CONNECT_TIMEOUT' }), 'no_answer', /STARTTLS/],
    ['a certificate', failure({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), 'certificate', /certificate/],
    ['another name’s certificate', failure({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' }), 'certificate', /certificate/],
    ['no TLS', failure({ code: 'ERR_SSL_WRONG_VERSION_NUMBER' }), 'encryption', /encryption/],
    ['no STARTTLS', failure({ tlsFailed: true }), 'encryption', /encryption/],
    ['a wrong password', failure({ authenticationFailed: true, responseText: 'Nope\r\nA' }), 'credentials', /It said: Nope A$/],
    ['a missing folder', failure({ mailboxMissing: true }), 'folder', /no such folder/],
    ['anything else', failure({ code: 'EConnectionClosed' }), 'protocol', /ended the connection/],
  ])('%s', (_, error, code, message) => {
    const problem = imapProblem(error, server);
    expect(problem).toMatchObject({ code, message: expect.stringMatching(message), cause: error });
  });

  test('says what providers need instead of the password', () => {
    const refused = failure({ authenticationFailed: true });
    const at = (host: string) => imapProblem(refused, { ...server, host }).message;
    expect(at('imap.gmail.com')).toMatch(/app password/);
    expect(at('outlook.office365.com')).toMatch(/no passwords/);
    expect(at('imap.quark.example')).toBe('imap.quark.example refused the user name or password.');
  });

  test('is not changed if it is known', () => {
    const problem = new MailboxProblem('folder', 'x');
    expect(imapProblem(problem, server)).toBe(problem);
  });
});

describe('a server', () => {
  let stop: () => Promise<unknown> = async () => undefined;
  afterEach(() => stop());

  async function listening(port: number, greet: (socket: Socket) => void): Promise<void> {
    const sockets = new Set<Socket>();
    const listener: Server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      greet(socket);
    });
    await new Promise<void>((resolve) => listener.listen(port, '127.0.0.1', resolve));
    stop = () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => listener.close(resolve));
    };
  }

  const open = (changes: Partial<MailServer>, signal = new AbortController().signal) =>
    openImap({ ...server, host: '127.0.0.1', ...changes }, signal).then((client) => client.close());

  test('that is not of the public internet is not connected to', async () => {
    await expect(open({ host: '127.0.0.2' })).rejects.toMatchObject({ code: 'address_forbidden' });
    await expect(open({ host: '10.0.0.1', port: 143 })).rejects.toMatchObject({ code: 'address_forbidden' });
    await expect(open({ host: '8.8.8.8', port: 25 })).rejects.toMatchObject({ code: 'address_forbidden' });
  });

  test('without encryption gets no password', async () => {
    const port = await freePort();
    let received = '';
    await listening(port, (socket) => {
      socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n');
      socket.on('data', (data) => {
        received += data;
        const tag = String(data).split(' ')[0];
        socket.write(
          /CAPABILITY/i.test(String(data)) ? `* CAPABILITY IMAP4rev1\r\n${tag} OK done\r\n` : `${tag} BAD unknown\r\n`,
        );
      });
    });
    await expect(open({ port, security: 'starttls' })).rejects.toMatchObject({ code: 'encryption' });
    await expect(open({ port, security: 'tls' })).rejects.toBeInstanceOf(MailboxProblem);
    expect(received).not.toContain('secret');
  });

  test('that speaks another protocol is a problem like others', async () => {
    const port = await freePort();
    await listening(port, (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await expect(open({ port, security: 'starttls' })).rejects.toMatchObject({ name: 'MailboxProblem' });
  });

  test('that does not answer is left when that is no longer wanted', async () => {
    const port = await freePort();
    const controller = new AbortController();
    await listening(port, () => controller.abort(new Error('The server stops.')));
    await expect(open({ port }, controller.signal)).rejects.toThrow('The server stops.');
  });

  test.skipIf(dovecot === null)('with a certificate that is not trusted gets no password', async () => {
    const imap = await startDovecot();
    stop = imap.remove;
    await expect(open(imap.server('ann', { ca: testCertificates.first.cert }))).rejects.toMatchObject({ code: 'certificate' });
    await open(imap.server('ann'));
    await open(imap.server('ann', { port: imap.ports.starttls, security: 'starttls' }));
  });
});
