import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { env } from '@/server/platform/env';
import { longestTurnOf } from '@/server/testing/cpu-time';
import { withContentStore } from '@/server/testing/mail-samples/environment';
import { hostileMails } from '@/server/testing/mail-samples/hostile';
import { lines, multipart, received, sha256, storedContent, utf8 } from '@/server/testing/mail-samples/message';
import { QueueFull } from '../semaphore';
import { createMailParser, type MailParser, parseMail } from './mail-parser';
import { UnparsableMail } from './parsed-mail';
import { maximumMailBytes } from './raw-mail';

withContentStore();

let parser: MailParser | undefined;

afterEach(async () => {
  await parser?.close();
  parser = undefined;
});

/** A message in memory, or with `padding` in a file. */
function message(padding = ''): string {
  const text = `Content-Type: text/plain; charset=utf-8\r\n\r\n${utf8('Grüße')}`;
  const html = 'Content-Type: text/html\r\n\r\n<p>Gr&uuml;&szlig;e</p>';
  const alternative = `Content-Type: multipart/alternative; boundary=a\r\n\r\n${multipart('a', text, html)}`;
  const file = 'Content-Type: image/png; name=a.png\r\n\r\nPNG';
  const head = lines(
    'From: Ann <ann@quark.example>',
    'To: b@example.com',
    'Date: Mon, 2 Nov 2026 10:00:00 +0100',
    'Subject: Hello',
  );
  return `${head}Content-Type: multipart/mixed; boundary=m\r\n\r\n${padding}${multipart('m', alternative, file)}`;
}

const padding = 'x\r\n'.repeat(100_000);

const arriving = () => readdir(path.join(env().DATA_DIR, 'files', 'incoming'));

describe('a large message', () => {
  test('is parsed like a small one, and its attachments are stored', async () => {
    const small = await parseMail(await received(message()));
    const raw = await received(message(padding));
    expect(raw.file).not.toBeNull();
    const { messageId, ...large } = await parseMail(raw);
    expect(large).toEqual({ ...small, messageId: undefined });
    expect(messageId).toBe(`<${raw.sha256}@missing-message-id.invalid>`);
    expect(large.attachments).toMatchObject([{ filename: 'a.png', size: 3, sha256: sha256('PNG') }]);
    expect(await storedContent(sha256('PNG'))).toEqual(Buffer.from('PNG'));
    await raw.discard();
    expect(await arriving()).toEqual([]);
  });

  test('that is unreadable is refused with the reason', async () => {
    const raw = await received(`From: a@example.com\r\n${'X: y\r\n'.repeat(200_000)}\r\n`);
    await expect(parseMail(raw)).rejects.toThrow(new UnparsableMail('The message has more than 1 MiB of headers in one part.'));
  });

  test('that takes too long is refused, leaves nothing, and the next one is parsed', async () => {
    parser = createMailParser({ parseTime: 1 });
    const raw = await received(message(padding));
    await expect(parser.parse(raw, '')).rejects.toThrow(new UnparsableMail('Reading the message took too long.'));
    await raw.discard();
    expect(await arriving()).toEqual([]);
    expect(await parseMail(await received(message(padding)))).toMatchObject({ text: 'Grüße' });
  });

  test('that takes too much memory is refused, and the next one is parsed', async () => {
    parser = createMailParser({ memory: 24 });
    const html = `From: a@example.com\r\nContent-Type: text/html\r\n\r\n${'<b>'.repeat(300_000)}`;
    await expect(parser.parse(await received(html), '')).rejects.toThrow(
      new UnparsableMail('Reading the message took too much memory.'),
    );
  });

  test('keeps the code of an error that is not its own', async () => {
    const raw = await received(message(padding));
    await rm(raw.file ?? '');
    await expect(parseMail(raw)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('is left to a later attempt when the server stops', async () => {
    parser = createMailParser();
    const parsing = ['a', 'b', 'c'].map(async (sender) => parser?.parse(await received(message(padding)), sender));
    const outcomes = Promise.allSettled(parsing);
    await expect.poll(arriving).not.toEqual([]);
    await parser.close();
    for (const outcome of await outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(QueueFull);
    }
  });
});

/** Parses a message of one kind; the test fails if a limit ended it instead of the message's own faults. */
async function parseHostile(make: (size: number) => Buffer, size: number): Promise<void> {
  const raw = await received(make(size));
  const mail = await parseMail(raw).catch((error: unknown) => error as Error);
  await raw.discard();
  if (mail instanceof Error) {
    expect(mail).toBeInstanceOf(UnparsableMail);
    expect(mail.message).not.toMatch(/took/);
    return;
  }
  expect(mail.text.length).toBeLessThanOrEqual(256 * 1024);
  expect(mail.html?.length ?? 0).toBeLessThanOrEqual(1024 * 1024);
}

describe('hostile mail is read, and holds up nobody', () => {
  /** Milliseconds of computing: several times what any kind needs, which differs between machines. */
  const longestAllowed = 750;

  /** The kinds that hold the event loop for too long. */
  async function holding(kinds: string[], size: number): Promise<string[]> {
    const found: string[] = [];
    for (const kind of kinds) {
      const held = await longestTurnOf(() => parseHostile(hostileMails[kind] as (size: number) => Buffer, size));
      if (held > longestAllowed) found.push(`${kind}: ${Math.round(held)} ms`);
    }
    return found;
  }

  test.each([
    ['in memory', 30 * 1024],
    ['in a thread', 500 * 1024],
  ])('%s', async (_, size) => {
    expect(await holding(Object.keys(hostileMails), size)).toEqual([]);
  });

  test.each(['quoted-printable letters', '900 delivery reports', 'flowed lines', 'HTML of paragraphs'])(
    '%s up to the largest size',
    async (kind) => {
      expect(await holding([kind], maximumMailBytes)).toEqual([]);
    },
  );
});
