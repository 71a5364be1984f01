import { describe, expect, test } from 'vitest';
import { withContentStore } from '@/server/testing/mail-samples/environment';
import { lines, received, utf8 } from '@/server/testing/mail-samples/message';
import { parseMail } from './mail-parser';
import { UnparsableMail } from './parsed-mail';

withContentStore();

async function parsed(...content: string[]) {
  return parseMail(await received(lines(...content)));
}

describe('the subject', () => {
  test.each([
    ['encoded words', '=?utf-8?Q?Gr=C3=BC=C3=9Fe?= =?utf-8?B?IPCfkow=?=', 'Grüße 💌'],
    ['a character split over two words', '=?utf-8?B?8J+S?= =?utf-8?B?jA==?=', '💌'],
    ['folded words', '=?iso-8859-1?Q?Gr=FC?=\r\n =?iso-8859-1?Q?=DFe?=', 'Grüße'],
    ['raw UTF-8', utf8('Grüße 💌'), 'Grüße 💌'],
    ['Latin 2', '=?iso-8859-2?Q?=B3=F3d=BC?=', 'łódź'],
    ['Windows 1251', '=?windows-1251?B?z/Do4uXy?=', 'Привет'],
    ['KOI8-R', '=?koi8-r?B?8NLJ18XU?=', 'Привет'],
    ['Shift JIS', '=?shift_jis?B?k/qWew==?=', '日本'],
    ['ISO-2022-JP', '=?iso-2022-jp?B?GyRCRnxLXBsoQg==?=', '日本'],
    ['GB 18030', '=?gb18030?B?1tC5+g==?=', '中国'],
    ['EUC-KR', '=?euc-kr?B?x9GxuQ==?=', '한국'],
    ['control characters', 'a\tb\x00c\x07 d', 'a bc d'],
    ['a word that never ends', '=?utf-8?Q?abc', '=?utf-8?Q?abc'],
    ['nothing', '', ''],
  ])('%s', async (_kind, written, subject) => {
    expect((await parsed(`Subject: ${written}`, '', 'x')).subject).toBe(subject);
  });

  test('of an unknown charset does not keep the message out', async () => {
    expect((await parsed('Subject: Hello =?x-unknown?Q?abc?=', '', 'x')).subject).toContain('Hello');
  });
});

describe('addresses', () => {
  test('names, quotes, comments, encoded words and groups', async () => {
    const mail = await parsed(
      'From: =?utf-8?Q?Ada_L=C3=B6velace?= <Ada@EXAMPLE.com>',
      'Reply-To: "Lovelace, Ada" <ada@example.com>',
      'To: bob@example.com (Bob), Team: c@example.com, "D" <d@example.com>;, undisclosed-recipients:;',
      'Cc: "e@example.com" <E@example.com>, <>, nobody here',
      `Bcc: ${utf8('Grüße')} <f@example.com>`,
      '',
    );
    expect(mail.from).toEqual({ email: 'Ada@example.com', displayName: 'Ada Lövelace' });
    expect(mail.replyTo).toEqual([{ email: 'ada@example.com', displayName: 'Lovelace, Ada' }]);
    expect(mail.to).toEqual([
      { email: 'bob@example.com', displayName: 'Bob' },
      { email: 'c@example.com', displayName: null },
      { email: 'd@example.com', displayName: 'D' },
    ]);
    expect(mail.cc).toEqual([{ email: 'E@example.com', displayName: null }]);
    expect(mail.bcc).toEqual([{ email: 'f@example.com', displayName: 'Grüße' }]);
  });

  test('Sender stands in for a missing From, and nobody for both', async () => {
    expect((await parsed('Sender: a@example.com', '')).from).toEqual({ email: 'a@example.com', displayName: null });
    expect((await parsed('From: b@example.com, c@example.com', 'Sender: a@example.com', '')).from.email).toBe('b@example.com');
    expect((await parsed('From: Ada', '')).from).toEqual({ email: '', displayName: 'Ada' });
    expect((await parsed('Subject: x', '')).from).toEqual({ email: '', displayName: null });
  });

  test('have their domain in ASCII, whichever way it is written; the local part stays', async () => {
    const mail = await parsed(
      'From: Ada@xn--bcker-gra.example',
      `To: ${Buffer.from('grüße@Bäcker.example').toString('latin1')}, ada@[IPv6:2001:db8::1]`,
      '',
    );
    expect(mail.from.email).toBe('Ada@xn--bcker-gra.example');
    expect(mail.to.map(({ email }) => email)).toEqual(['grüße@xn--bcker-gra.example', 'ada@[ipv6:2001:db8::1]']);
  });

  test('of absurd length are none, of several headers of a name all', async () => {
    const mail = await parsed(`From: Ada <${'a'.repeat(320)}@example.com>`, 'To: a@example.com', 'To: b@example.com', '');
    expect(mail.from).toEqual({ email: '', displayName: 'Ada' });
    expect(mail.to.map(({ email }) => email)).toEqual(['a@example.com', 'b@example.com']);
  });

  test('are at most a thousand of a header', async () => {
    const mail = await parsed(`To: ${Array.from({ length: 60_000 }, (_, index) => `u${index}@e.org`).join(', ')}`, '');
    expect(mail.to).toHaveLength(1000);
    expect(mail.to.at(-1)?.email).toBe('u999@e.org');
  });
});

test('Delivered-To of every server on the way', async () => {
  const mail = await parsed('Delivered-To: b@Example.com', 'Delivered-To: <a@example.com>', '');
  expect(mail.deliveredTo).toEqual(['b@example.com', 'a@example.com']);
});

describe('of headers that stand there twice', () => {
  test('the first counts', async () => {
    const mail = await parsed(
      'Message-ID: <first@example.com>',
      'Message-ID: <second@example.com>',
      'From: first@example.com',
      'From: second@example.com',
      'Subject: first',
      'Subject: second',
      'Date: Mon, 3 Nov 2025 10:12:13 +0100',
      'Date: Tue, 4 Nov 2025 10:12:13 +0100',
      '',
    );
    expect(mail).toMatchObject({ messageId: '<first@example.com>', subject: 'first', from: { email: 'first@example.com' } });
    expect(mail.sentAt?.toISOString()).toBe('2025-11-03T09:12:13.000Z');
  });
});

describe('ids', () => {
  test('are read with their folding, comments and encoding', async () => {
    const mail = await parsed(
      'Message-ID:',
      ' <own@example.com> (comment)',
      'In-Reply-To: Your message <parent@example.com>',
      'References: <root@example.com>',
      '\t=?utf-8?Q?=3Cmiddle@example.com=3E?=',
      ' <own@example.com>',
      '',
    );
    expect(mail.messageId).toBe('<own@example.com>');
    expect(mail.inReplyTo).toBe('<parent@example.com>');
    expect(mail.references).toEqual(['<root@example.com>', '<middle@example.com>', '<parent@example.com>']);
  });

  test.each([[[]], [['Message-ID:']], [['Message-ID: <>']], [[`Message-ID: <${'x'.repeat(2000)}@example.com>`]]])(
    'missing or absurd (%j) are made of the bytes',
    async (headers) => {
      const raw = await received(lines('From: a@example.com', ...headers, '', 'x'));
      const { messageId } = await parseMail(raw);
      expect(messageId).toBe(`<${raw.sha256}@missing-message-id.invalid>`);
      expect((await parseMail(raw)).messageId).toBe(messageId);
    },
  );
});

test.each(['', '\r\n', '\r\n\r\n', 'From: a@example.com', 'x', 'From sender Mon Nov 3 10:12:13 2025\r\n\r\n'])(
  'the message %j is one without content',
  async (message) => {
    const mail = await parseMail(await received(message));
    expect(mail).toMatchObject({
      subject: '',
      to: [],
      html: null,
      sentAt: null,
      isAutoReply: false,
      report: null,
      attachments: [],
      inReplyTo: null,
    });
    expect(mail.text.trim()).toBe('');
  },
);

test('an absurd date is none', async () => {
  expect((await parsed('Date: Thu, 99 Foo 2025', '')).sentAt).toBeNull();
});

test('a header block over 1 MiB and more than 1,000 parts are refused with the reason', async () => {
  await expect(parsed(`X: ${'x'.repeat(1024 * 1024)}`, '', 'x')).rejects.toEqual(
    new UnparsableMail('The message has more than 1 MiB of headers in one part.'),
  );
  const nested = Array.from(
    { length: 10_000 },
    (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}\r\n`,
  );
  await expect(parseMail(await received(nested.join('')))).rejects.toEqual(
    new UnparsableMail('The message has too many attachments or parts (over 1,000).'),
  );
});

/** Inputs that make naive parsers take quadratic time; the test then fails by its timeout. */
test.each(['<', '@', '=?', '(', ':', '"', ',', '\\', '=?utf-8?B?', 'a@', '\t\r\n ', '; a*0*='])(
  'headers of nothing but %j end soon',
  async (piece) => {
    for (const name of [
      'From',
      'To',
      'Subject',
      'References',
      'Date',
      'Content-Type',
      'Content-Disposition: attachment; filename',
    ]) {
      const header = `${name}${name.includes(':') ? '=' : ': '}${piece.repeat(250_000 / piece.length)}`;
      expect((await parsed(header, '', 'x')).attachments.length).toBeLessThanOrEqual(1);
    }
  },
);
