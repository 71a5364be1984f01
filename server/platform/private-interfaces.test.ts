import { MailParser } from 'mailparser';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import { parseConnectionUrl } from 'nodemailer/lib/shared';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { socketOf } from './db/connection';

/* Undocumented interfaces of libraries that we rely on. If one of these fails after an upgrade, update the named file. */

test('pg: a client has its socket and the messages of COPY (platform/db/connection.ts, features/backup/copy-stream.ts)', async () => {
  const client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
  const socket = socketOf(client);
  expect([socket.writable, typeof socket.destroy]).toEqual([true, 'function']);
  const { connection } = client as unknown as { connection: Record<string, unknown> };
  for (const name of ['query', 'sendCopyFromChunk', 'endCopyFrom', 'sendCopyFail'])
    expect(connection[name], name).toBeTypeOf('function');
  await client.end();
});

test('nodemailer: encoded words, URLs and a connection (platform/mail/outgoing-headers.ts, smtp-options.ts)', () => {
  expect(encodeWord('Grüße', 'Q')).toBe('=?UTF-8?Q?Gr=C3=BC=C3=9Fe?=');
  expect(parseConnectionUrl('smtps://a:b@x.example:465')).toMatchObject({ host: 'x.example', port: 465, secure: true });
  expect(SMTPConnection).toBeTypeOf('function');
});

test('mailparser: the parser has what ours overrides (platform/mail/mail-stream.ts; the tests of parse-mail cover the rest)', () => {
  const parser = new MailParser() as unknown as Record<string, Record<string, unknown>>;
  for (const name of ['getDecoder', 'processHeaders', 'processChunk']) expect(parser[name], name).toBeTypeOf('function');
  for (const name of ['decodeWords', 'detectExtension']) expect(parser.libmime?.[name], name).toBeTypeOf('function');
  expect(parser.splitter?.checkBoundary).toBeTypeOf('function');
  expect([parser.tree, parser.hasText, parser.hasHtml].every((value) => value !== undefined)).toBe(true);
});
