import type { AddressInfo } from 'node:net';
import tls, { type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { testCertificates } from '@/server/testing/certificates';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { findMailbox } from './mailbox.record';
import { createMailboxInput } from './mailbox.schema';
import { createMailbox, getMailbox } from './mailbox.service';
import { readerTimes, readMailbox } from './mailbox-reader';

/** Mail servers that lie, send without end, or answer bit by bit: they hold up no other mailbox, and cost no memory. */

withFreshDatabase({ OUTBOUND_ALLOWLIST: '127.0.0.1' });

/** What a server sends for a command; nothing for silence. `flood` goes on without end. */
type Answers = Partial<Record<string, { lines?: string[]; flood?: (n: number) => string; isSilent?: boolean }>>;

const usual: Answers = {
  CAPABILITY: { lines: ['* CAPABILITY IMAP4rev1'] },
  EXAMINE: { lines: ['* 3 EXISTS', '* OK [UIDVALIDITY 1] ok', '* OK [UIDNEXT 4] ok'] },
  SEARCH: { lines: ['* SEARCH 1 2 3'] },
};

const times = { ...readerTimes };
let server: tls.Server | undefined;
const sockets = new Set<TLSSocket>();

afterEach(async () => {
  Object.assign(readerTimes, times);
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
});

function flood(socket: TLSSocket, line: (n: number) => string): void {
  let n = 0;
  const go = () => {
    while (!socket.destroyed) {
      const block = Array.from({ length: 1_000 }, () => `${line(n++)}\r\n`).join('');
      if (!socket.write(block)) {
        socket.once('drain', go);
        return;
      }
    }
  };
  go();
}

/** Reads a mailbox of a server with these answers. */
async function session(changes: Answers) {
  const answers = { ...usual, ...changes };
  const { cert, key } = testCertificates.local;
  server = tls.createServer({ cert, key }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write('* OK ready\r\n');
    socket.on('data', (data) => {
      for (const line of data.toString().split('\r\n').filter(Boolean)) {
        const [tag = '', first = '', second = ''] = line.split(' ');
        const { lines = [], flood: endless, isSilent = false } = answers[(first === 'UID' ? second : first).toUpperCase()] ?? {};
        if (isSilent) return;
        if (endless) flood(socket, endless);
        else socket.write([...lines, `${tag} OK done`, ''].join('\r\n'));
      }
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { actor } = await createTestIdentity();
  const input = { address: 'shop@quark.example', host: '127.0.0.1', port, password: 'secret' };
  const { id } = await createMailbox(actor, createMailboxInput.parse(input));
  const row = await findMailbox(pool(), actor.identityId, id);
  if (!row) throw new Error('the mailbox is gone');
  const mailbox = { row, server: { ...input, security: 'tls' as const, username: 'shop', ca: cert } };
  const outcome = await readMailbox(mailbox, new AbortController().signal);
  return { ...outcome, state: await getMailbox(actor, id) };
}

describe('a server that sends without end', () => {
  const tooMuch = { code: 'protocol', message: '127.0.0.1 sends more than it was asked for.' };

  test.each<[string, Answers]>([
    ['when it is signed in to', { LOGIN: { flood: (n) => `* OK [ALERT] ${n}` } }],
    ['when the mailbox is opened', { EXAMINE: { flood: (n) => `* ${n} EXISTS` } }],
    ['when it is searched', { SEARCH: { flood: (n) => `* SEARCH ${n} ${n + 1}` } }],
    ['when messages are listed', { FETCH: { flood: (n) => `* ${n + 1} FETCH (UID ${n + 1} FLAGS (${'k'.repeat(500)}))` } }],
  ])('%s is left', async (_when, answers) => {
    expect(await session(answers)).toMatchObject({ hasRead: false, problem: tooMuch });
  });
});

describe('a server that answers bit by bit', () => {
  test('is left after a time', async () => {
    Object.assign(readerTimes, { session: 100, lastMessage: 400 });
    expect(await session({ EXAMINE: { isSilent: true } })).toMatchObject({ hasRead: false, problem: { code: 'no_answer' } });
  });

  test('gets another turn for the messages that it has left', async () => {
    Object.assign(readerTimes, { session: 0 });
    const fetched = { FETCH: { lines: ['* 1 FETCH (UID 1 FLAGS () BODY[HEADER.FIELDS (MESSAGE-ID)] {0}', ')'] } };
    expect(await session(fetched)).toMatchObject({
      ...{ hasRead: false, problem: null },
      state: { status: 'importing', import: { total: 3, done: 0 } },
    });
  });
});
