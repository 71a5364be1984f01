import { describe, expect, test } from 'vitest';
import { cpuTimeOf } from '@/server/testing/cpu-time';
import { withContentStore } from '@/server/testing/mail-samples/environment';
import { lines, multipart, received, utf8 } from '@/server/testing/mail-samples/message';
import { parseMail } from './mail-parser';

withContentStore();

async function parsed(...content: string[]) {
  return parseMail(await received(lines(...content)));
}

function addresses(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}@${prefix}.example.com`);
}

describe('addresses', () => {
  test('have a name of at most 200 characters, none of them cut in two', async () => {
    const mail = await parsed(
      `From: "${'x'.repeat(300)}" <a@example.com>`,
      `To: ${utf8(`${'y'.repeat(199)}💌 end`)} <b@example.com>`,
      `Cc: ${'z'.repeat(199)} end <c@example.com>`,
      '',
    );
    expect(mail.from).toEqual({ email: 'a@example.com', displayName: 'x'.repeat(200) });
    expect(mail.to).toEqual([{ email: 'b@example.com', displayName: 'y'.repeat(199) }]);
    expect(mail.cc).toEqual([{ email: 'c@example.com', displayName: 'z'.repeat(199) }]);
  });

  test('are at most 2,000 of a message, those to answer to and of To before others', async () => {
    const header = (name: string, count: number) => `${name}: ${addresses(name.toLowerCase(), count).join(', ')}`;
    const mail = await parsed(header('Bcc', 900), header('Cc', 900), header('To', 900), header('Reply-To', 3), '');
    expect(mail.replyTo.map(({ email }) => email)).toEqual(addresses('reply-to', 3));
    expect(mail.to.map(({ email }) => email)).toEqual(addresses('to', 900));
    expect(mail.cc).toHaveLength(900);
    expect(mail.bcc).toHaveLength(197);
  });

  test('are read out of 256 KiB of headers altogether, the longest cut between two addresses', async () => {
    const header = (name: string, count: number) =>
      `${name}: ${addresses(name.toLowerCase(), count)
        .map((email) => `"${'x'.repeat(250)}" <${email}>`)
        .join(', ')}`;
    const mail = await parsed(header('To', 900), header('Cc', 600), 'Bcc: f@example.com', 'From: a@example.com', '');
    expect(mail.from.email).toBe('a@example.com');
    expect(mail.bcc.map(({ email }) => email)).toEqual(['f@example.com']);
    expect(mail.cc.map(({ email }) => email)).toEqual(addresses('cc', 600));
    expect(mail.to.length).toBeGreaterThan(200);
    expect(mail.to.length).toBeLessThan(400);
    expect(mail.to.map(({ email }) => email)).toEqual(addresses('to', mail.to.length));
  });

  test('are never half of what is written, which may be the address of somebody else', async () => {
    const end = ' <b@example.com';
    const mail = await parsed(`To: ${'x'.repeat(256 * 1024 - 'To: '.length - end.length)}${end}.example.org>`, '');
    expect(mail.to).toEqual([]);
  });

  test('of who wrote the message are read before those of thousands of recipients', async () => {
    const mail = await parsed(...Array(60_000).fill('To: b@c.de'), 'From: Ada Lovelace <ada@example.com>', '');
    expect(mail.from).toEqual({ email: 'ada@example.com', displayName: 'Ada Lovelace' });
    expect(mail.to).toHaveLength(1000);
  });
});

test('headers of parts are not read for addresses, which would take seconds', async () => {
  const headers = `To: ${'a:'.repeat(127_000)}\r\n`.repeat(4);
  const parts = Array.from(
    { length: 8 },
    (_, index) => `${headers}Content-Type: image/png\r\nContent-Id: <p${index}@x>\r\n\r\nP`,
  );
  const raw = await received(
    lines('From: a@example.com', 'Content-Type: multipart/mixed; boundary=b', '') + multipart('b', ...parts),
  );
  const parsed = { attachments: [] as { contentId: string | null }[] };
  const took = await cpuTimeOf(async () => Object.assign(parsed, await parseMail(raw)));
  expect(took).toBeLessThan(2_000);
  expect(parsed.attachments.map(({ contentId }) => contentId)).toEqual(parts.map((_, index) => `p${index}@x`));
});
