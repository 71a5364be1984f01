import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { env } from '@/server/platform/env';
import { setForProcess } from '@/server/platform/process-globals';
import { withContentStore } from '@/server/testing/mail-samples/environment';
import { base64, lines, multipart, received, sha256, storedContent, utf8 } from '@/server/testing/mail-samples/message';
import { parseMail } from './mail-parser';
import { UnparsableMail } from './parsed-mail';

withContentStore();

async function mixed(...parts: string[]) {
  return parseMail(
    await received(lines('From: a@example.com', 'Content-Type: multipart/mixed; boundary=b', '') + multipart('b', ...parts)),
  );
}

async function body(contentType: string, content: string, ...headers: string[]) {
  return parseMail(await received(lines('From: a@example.com', `Content-Type: ${contentType}`, ...headers, '') + content));
}

describe('a message of several parts', () => {
  test.each(['--b \r\n', '--b\t \r\n'])('may have white space behind its delimiters: %j', async (delimiter) => {
    const mail =
      lines('From: a@b.example', 'Content-Type: multipart/mixed; boundary=b', '') +
      multipart('b', 'Content-Type: text/plain\r\n\r\nhi', 'Content-Type: application/pdf; name=x.pdf\r\n\r\nPDF')
        .replaceAll('--b\r\n', delimiter)
        .replace('--b--', '--b-- ');
    const { text, attachments } = await parseMail(await received(mail));
    expect([text.trim(), attachments.map(({ size }) => size)]).toEqual(['hi', [3]]);
  });

  test.each(['Content-Type: multipart/mixed', 'Content-Type: Multipart/Alternative; boundary=other'])(
    'of which none can be found is one that nobody can read: %s',
    async (contentType) => {
      const mail = await received(`${lines('From: a@b.example', contentType, '')}--b\r\n\r\nHello there\r\n--b--\r\n`);
      await expect(parseMail(mail)).rejects.toThrow(UnparsableMail);
    },
  );
});

describe('text', () => {
  test.each([
    ['utf-8', utf8('Grüße 💌'), 'Grüße 💌'],
    ['iso-8859-1', 'Gr\xfc\xdfe', 'Grüße'],
    ['iso-8859-15', '5 \xa4', '5 €'],
    ['windows-1252', '\x93a\x94 \x80', '“a” €'],
    ['windows-1251', '\xcf\xf0\xe8\xe2\xe5\xf2', 'Привет'],
    ['koi8-r', '\xf0\xd2\xc9\xd7\xc5\xd4', 'Привет'],
    ['shift_jis', '\x93\xfa\x96\x7b', '日本'],
    ['iso-2022-jp', '\x1b$BF|K\\\x1b(B', '日本'],
    ['gb18030', '\xd6\xd0\xb9\xfa', '中国'],
    ['gb2312', '\xd6\xd0\xb9\xfa', '中国'],
    ['big5', '\xa4\xa4\xb0\xea', '中國'],
    ['euc-kr', '\xc7\xd1\xb1\xb9', '한국'],
    ['ks_c_5601-1987', '\xc7\xd1\xb1\xb9', '한국'],
    ['utf-7', 'a +AOQ- b', 'a ä b'],
    ['utf-16le', 'a\0\xe4\0', 'aä'],
    ['x-unknown', utf8('Grüße'), 'Grüße'],
    ['us-ascii', 'plain', 'plain'],
    ['"', 'plain', 'plain'],
  ])('in %s', async (charset, content, text) => {
    expect((await body(`text/plain; charset=${charset}`, content)).text).toBe(text);
  });

  test.each([
    ['bytes that are no UTF-8', '', 'a\xffb', 'a\ufffdb'],
    ['control characters and every kind of line end', '', 'a\0b\x07\tc\r\nd\re\nf', 'ab\tc\nd\ne\nf'],
    ['quoted-printable, also broken', 'quoted-printable', 'a=C3=A4=\r\nb=ZZ=3D=', 'aäb=ZZ='],
    ['base64, also broken', 'base64', 'SGV\r\nsbG8!\r\n=', 'Hello'],
    ['an unknown encoding', 'x-unknown', 'a=20b', 'a=20b'],
  ])('with %s', async (_kind, encoding, content, text) => {
    expect((await body('text/plain', content, ...(encoding ? [`Content-Transfer-Encoding: ${encoding}`] : []))).text).toBe(text);
  });

  test('flowed is joined to paragraphs', async () => {
    expect((await body('text/plain; format=flowed', 'One \r\nparagraph.\r\n> a \r\n> quote\r\n-- \r\nAda')).text).toContain(
      'One paragraph.\n',
    );
    expect((await body('text/plain; format=flowed; delsp=yes', 'Do \r\nnau')).text).toBe('Donau');
  });

  test('flowed has the marks of a quote once a paragraph, and the lines of a signature apart', async () => {
    const content = [
      '> It is sent ',
      '> on Monday.',
      '>',
      '>> Where is ',
      '>> it?',
      '> ',
      'Fine! ',
      ' > it is.',
      '-- ',
      'Ada ',
      'Quark',
    ];
    const { text } = await body('text/plain; charset=iso-8859-1; format=flowed', lines(...content));
    expect(text.split('\n').slice(0, 8)).toEqual([
      '> It is sent on Monday.',
      '>',
      '>> Where is it?',
      '>',
      'Fine! > it is.',
      '-- ',
      'Ada Quark',
      '',
    ]);
  });

  test('of a table has its cells and rows apart', async () => {
    const { text } = await body(
      'text/html',
      '<table><tr><th>Name</th><td>Ann Quark</td></tr><tr><td>2</td><td>15.00</td></tr></table><p>Bye</p>',
    );
    expect(
      text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    ).toEqual(['Name Ann Quark', '2 15.00', 'Bye']);
  });

  test('of only HTML is made of it, without addresses of links and without images', async () => {
    const html =
      '<h1>Hello</h1><p>See <a href="https://example.com/x">our page</a><img src="x.png" alt="x">.</p><ul><li>One</li></ul>';
    const mail = await body('text/html', html);
    expect(mail).toMatchObject({ html });
    expect(mail.text).toMatch(/^Hello\n+See our page\.\n+ ?\* One$/);
  });

  test('of several parts is whole, as text and as HTML', async () => {
    const mail = await mixed(
      'Content-Type: text/plain\r\n\r\n1 < 2',
      'Content-Type: text/html\r\n\r\n<b>Two</b>',
      'Content-Type: text/plain\r\n\r\nThree',
    );
    expect(mail.text).toBe('1 < 2\nTwo\nThree');
    expect(mail.html).toMatch(/1 &lt; 2.*<b>Two<\/b>.*Three/s);
  });

  test('of alternatives is the text one, wherever pictures and files stand', async () => {
    const related = `Content-Type: multipart/related; boundary=r\r\n\r\n${multipart('r', 'Content-Type: text/html\r\n\r\n<i>Hi</i><img src="cid:p%40x">', 'Content-Type: image/png\r\nContent-Id: <p@x>\r\n\r\nP', 'Content-Type: image/gif\r\nContent-Id: <unused@x>\r\n\r\nG')}`;
    const alternative = `Content-Type: multipart/alternative; boundary=a\r\n\r\n${multipart('a', 'Content-Type: text/plain\r\n\r\nHi', related)}`;
    const mail = await mixed(alternative, 'Content-Type: application/pdf; name=a.pdf\r\nContent-Disposition: inline\r\n\r\nF');
    expect(mail).toMatchObject({ text: 'Hi', html: '<i>Hi</i><img src="cid:p%40x">' });
    expect(mail.attachments.map(({ filename, contentId, isInline }) => [filename, contentId, isInline])).toEqual([
      ['attachment.png', 'p@x', true],
      ['attachment.gif', 'unused@x', false],
      ['a.pdf', null, false],
    ]);
  });

  test('that is too long is cut, and kept whole beside', async () => {
    const long = `${'x'.repeat(256 * 1024 - 1)}💌 end`;
    const mail = await body('text/plain', utf8(long));
    expect(mail.text).toBe('x'.repeat(256 * 1024 - 1));
    expect(mail.attachments).toMatchObject([
      { filename: 'message.txt', contentType: 'text/plain', isInline: false, sha256: sha256(long) },
    ]);
    const html = `<p>${'x'.repeat(1024 * 1024)}</p>`;
    const page = await body('text/html', html);
    expect(page.html).toBe(html.slice(0, 1024 * 1024));
    expect(page.text.length).toBeLessThanOrEqual(256 * 1024);
    expect(page.attachments).toMatchObject([{ filename: 'message.html', sha256: sha256(html) }]);
  });

  test('of Japanese is decoded piece by piece without a loss', async () => {
    const line = '\x1b$BF|K\\\x1b(B abc\r\n';
    const mail = await body('text/plain; charset=iso-2022-jp', line.repeat(40_000));
    expect(mail.attachments).toMatchObject([{ filename: 'message.txt', sha256: sha256('日本 abc\n'.repeat(40_000)) }]);
  });
});

describe('broken messages', () => {
  test('bare line feeds', async () => {
    const mail = await parseMail(
      await received(
        'From: a@example.com\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nHi\n--b\nContent-Type: image/png\n\nP\n--b--\n',
      ),
    );
    expect(mail.text).toBe('Hi');
    expect(mail.attachments).toMatchObject([{ contentType: 'image/png', sha256: sha256('P') }]);
  });

  test('without a final boundary, the last part is whole', async () => {
    const first = '--b\r\nContent-Type: image/png\r\n\r\nP\r\n';
    const head = lines('Content-Type: multipart/mixed; boundary=b', '');
    const text = await parseMail(
      await received(`${head}${first}--b\r\nContent-Type: text/plain; charset=koi8-r\r\n\r\n${'\xf0\r\n'.repeat(30_000)}`),
    );
    expect(text.text).toBe('П\n'.repeat(30_000));
    const file = await parseMail(await received(`${head}${first}--b\r\nContent-Type: image/gif\r\n\r\n${'G'.repeat(100_000)}`));
    expect(file.attachments.map(({ size }) => size)).toEqual([1, 100_000]);
  });

  test('a megabyte in one line', async () => {
    const mail = await mixed(
      `Content-Type: text/plain\r\n\r\n${'x'.repeat(200_000)}`,
      `Content-Type: image/png\r\n\r\n${'y'.repeat(3_000_000)}`,
    );
    expect(mail.text).toBe('x'.repeat(200_000));
    expect(mail.attachments).toMatchObject([{ sha256: sha256('y'.repeat(3_000_000)) }]);
  });
});

describe('attachments', () => {
  test('keep their bytes', async () => {
    const content = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 256));
    const mail = await mixed(
      `Content-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(content)}`,
    );
    expect((await storedContent(mail.attachments[0]?.sha256 ?? '')).equals(content)).toBe(true);
    expect(mail.attachments[0]).toMatchObject({ size: 100_000, sha256: createHash('sha256').update(content).digest('hex') });
  });

  test('that are messages keep their bytes and stay out of the text', async () => {
    const inner =
      lines('From: b@example.com', 'Subject: Inner', 'Content-Type: multipart/mixed; boundary=c', '') +
      multipart('c', '\r\nInner text');
    for (const disposition of ['attachment', 'inline']) {
      const mail = await mixed(
        '\r\nOuter',
        `Content-Type: message/rfc822\r\nContent-Disposition: ${disposition}; filename="Re: 1/2"\r\n\r\n${inner}`,
      );
      expect(mail.text).toBe('Outer');
      expect(mail.attachments).toMatchObject([{ filename: '2.eml', contentType: 'message/rfc822', sha256: sha256(inner) }]);
    }
  });

  test('that are invitations or text files are files', async () => {
    const mail = await mixed(
      '\r\nHi',
      'Content-Type: text/calendar; method=REQUEST\r\n\r\nBEGIN:VCALENDAR',
      'Content-Type: text/plain\r\nContent-Disposition: attachment\r\n\r\nA',
      'Content-Type: text/plain; name=notes.txt\r\nContent-Disposition: inline; filename=notes.txt\r\n\r\nB',
    );
    expect(mail.text).toBe('Hi');
    expect(mail.attachments.map(({ filename }) => filename)).toEqual(['invite.ics', 'attachment.txt', 'notes.txt']);
  });

  test.each([
    ['filename="../../etc/passwd"', 'passwd'],
    ['filename="C:\\\\x\\\\y.txt"', 'y.txt'],
    ['filename="/"', 'attachment.png'],
    ['filename=".."', 'attachment.png'],
    ['filename=""', 'attachment.png'],
    ['filename="a\x00\x1f\tb.png"', 'a b.png'],
    [`filename="${utf8('größe.png')}"`, 'größe.png'],
    ['filename="=?utf-8?Q?gr=C3=B6=C3=9Fe.png?="', 'größe.png'],
    ["filename*=utf-8''gr%C3%B6%C3%9Fe%2F.png", '.png'],
    ["filename*0*=utf-8''gr%C3%B6; filename*1*=%C3%9Fe; filename*2=.png", 'größe.png'],
    ["filename*=utf-8''%E2%80%AEgnp.exe", 'gnp.exe'],
    [`filename="${'x'.repeat(300)}.tar.png"`, `${'x'.repeat(196)}.png`],
  ])('are named without a path: %s', async (parameter, filename) => {
    const mail = await mixed(`Content-Type: image/png\r\nContent-Disposition: attachment; ${parameter}\r\n\r\nP`);
    expect(mail.attachments).toMatchObject([{ filename, contentType: 'image/png' }]);
  });

  test('of a content type that is none are bytes', async () => {
    const mail = await mixed('Content-Type: nonsense\r\nContent-Disposition: attachment\r\n\r\nP');
    expect(mail.attachments).toMatchObject([{ filename: 'attachment', contentType: 'application/octet-stream' }]);
  });
});

test('headers over 1 MiB behind an attachment are refused while that is stored', async () => {
  const file = `Content-Type: image/png\r\n\r\n${'P\r\n'.repeat(200_000)}`;
  await expect(mixed(file, `X: ${'x'.repeat(1024 * 1024)}\r\n\r\nx`)).rejects.toBeInstanceOf(UnparsableMail);
});

describe('what the disk fails with is not the fault of the message', () => {
  test('when it is read', async () => {
    const raw = await received(lines('Content-Type: image/png', '', 'P'));
    const failure = Object.assign(new Error('input/output error'), { code: 'EIO' });
    const open = () => {
      const stream = raw.open();
      process.nextTick(() => stream.destroy(failure));
      return stream;
    };
    await expect(parseMail({ ...raw, open })).rejects.toBe(failure);
  });

  test('when attachments are stored', async () => {
    const { DATA_DIR } = env();
    const file = path.join(DATA_DIR, 'not-a-folder');
    await writeFile(file, '');
    setForProcess('env', { ...env(), DATA_DIR: file });
    try {
      const part = `Content-Type: image/png\r\n\r\n${'P'.repeat(500_000)}`;
      await expect(mixed(part, part)).rejects.toMatchObject({ code: 'ENOTDIR' });
    } finally {
      setForProcess('env', { ...env(), DATA_DIR });
    }
  });
});
