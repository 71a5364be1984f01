import { attached, tnef } from './tnef';

/**
 * Messages that are slow to read, as a stranger could send them: for each of the parser's steps the content that costs most per
 * byte, repeated up to a size. What follows `From` is filled, one character per byte.
 */

const from = 'From: eve@outside.example\r\n';

/** `unit` as often as fits. */
function filled(unit: string, bytes: number): string {
  return unit.repeat(Math.max(Math.floor(bytes / unit.length), 0));
}

function body(headers: string, unit: string, before = '') {
  return (size: number): Buffer => {
    const head = `${from}${headers}\r\n\r\n${before}`;
    return Buffer.from(head + filled(unit, size - head.length), 'latin1');
  };
}

function header(start: string, unit: string, maximum = 1024 * 1024 - 4096) {
  return (size: number): Buffer => {
    const head = `${from}${start}${filled(unit, Math.min(size, maximum) - start.length)}\r\n\r\n`;
    return Buffer.from(head + filled('a\r\n', size - head.length), 'latin1');
  };
}

/** Parts of equal size in a multipart. */
function parts(kind: string, count: number, headers: string, unit: string) {
  return (size: number): Buffer => {
    const each = `--b\r\n${headers}\r\n\r\n`;
    const room = Math.floor((size - 200) / count) - each.length;
    const content = `${each}${filled(unit, Math.max(room, unit.length))}\r\n`.repeat(count);
    return Buffer.from(`${from}Content-Type: multipart/${kind}; boundary=b\r\n\r\n${content}--b--\r\n`, 'latin1');
  };
}

function nested(depth: number, unit: string) {
  return (size: number): Buffer => {
    let head = `${from}Content-Type: multipart/mixed; boundary=b0\r\n\r\n`;
    for (let level = 1; level <= depth; level++) {
      head += `--b${level - 1}\r\nContent-Type: multipart/mixed; boundary=b${level}\r\n\r\n`;
    }
    head += `--b${depth}\r\n\r\n`;
    return Buffer.from(head + filled(unit, size - head.length), 'latin1');
  };
}

/** All bytes in turn, which are valid in no charset of several bytes. */
const anyBytes = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('');

const plain = 'Content-Type: text/plain';
const html = 'Content-Type: text/html; charset=utf-8';

/** A message of about the given size in bytes, by what is special about it. */
export const hostileMails: Readonly<Record<string, (size: number) => Buffer>> = {
  'flowed lines': body(`${plain}; format=flowed; delsp=yes`, 'x \r\n'),
  'flowed quotes': body(`${plain}; format=flowed`, '>\r\n'),
  'flowed lines of changing depth': body(`${plain}; format=flowed`, '> a \r\n>> a \r\n'),
  'lines of one character': body(plain, 'a\r\n'),
  'empty lines': body(plain, '\r\n'),
  'lines that end in CR': body(plain, 'a\r'),
  'lines that end in LF': body(plain, '\n'),
  quotes: body(plain, '>\r\n'),
  'deep quotes': body(plain, `${'> '.repeat(400)}\r\n`),
  'one line': body(plain, 'a'),
  'one line of spaces': body(plain, ' '),
  'one line of addresses': body(plain, 'a@b.c '),
  'half addresses': body(plain, 'a.'),
  links: body(plain, 'http://a.b/(( '),
  attributions: body(plain, 'On a wrote:\r\n'),
  'quoted-printable letters': body(`${plain}\r\nContent-Transfer-Encoding: quoted-printable`, '=41\r\n'),
  'quoted-printable soft breaks': body(`${plain}\r\nContent-Transfer-Encoding: quoted-printable`, '=\r\n'),
  'quoted-printable that is none': body(`${plain}\r\nContent-Transfer-Encoding: quoted-printable`, '=='),
  'base64 of line breaks': body(`${plain}\r\nContent-Transfer-Encoding: base64`, 'DQoNCg0K\r\n'),
  'base64 in lines of one character': body(`${plain}\r\nContent-Transfer-Encoding: base64`, 'D\r\n'),
  ...Object.fromEntries(
    [
      'iso-2022-jp',
      'iso-2022-kr',
      'shift_jis',
      'euc-jp',
      'gb18030',
      'big5',
      'euc-kr',
      'utf-7',
      'utf-7-imap',
      'utf-16',
      'utf-32',
      'windows-1252',
      'x-unknown',
    ].map((charset) => [`bytes called ${charset}`, body(`${plain}; charset=${charset}`, anyBytes)]),
  ),
  'switches of ISO-2022-JP': body(`${plain}; charset=iso-2022-jp`, '\x1b$B\x1b(B'),
  'shifts of UTF-7': body(`${plain}; charset=utf-7`, '+AGE-'),
  'HTML of entities': body(html, '&amp;'),
  'HTML of unknown entities': body(html, '&a'),
  'HTML of open elements': body(html, '<b>'),
  'HTML of open links': body(html, '<a href=x>a'),
  'HTML of nested tables': body(html, '<table><tr><td>'),
  'HTML of nested quotes': body(html, '<blockquote>'),
  'HTML of paragraphs': body(html, '<p>a'),
  'HTML of comments': body(html, '<!--a-->'),
  'HTML of an open comment': body(html, '<!-', '<!--'),
  'HTML of half tags': body(html, '<a '),
  'HTML of attributes': body(html, ' a=b', '<p'),
  'HTML of styles': body(html, 'a{b:c}', '<style>'),
  'HTML of content ids': body(html, 'cid:'),
  'text beside HTML': parts('mixed', 2, html, '<i>a</i>\r\n'),
  alternatives: parts('alternative', 2, plain, 'a\r\n'),
  '900 texts': parts('mixed', 900, `${plain}; format=flowed`, '> a \r\n'),
  '900 HTML texts': parts('mixed', 900, html, '<p>&lt;'),
  '900 attachments': parts('mixed', 900, 'Content-Type: image/png\r\nContent-Id: <a@b>', 'a\r\n'),
  '900 delivery reports': parts('report', 900, 'Content-Type: message/delivery-status', 'Final-Recipient: a\r\n\r\n'),
  calendars: parts('mixed', 3, 'Content-Type: text/calendar; method=REPLY', 'A:\r\n'),
  'calendars of time zones': parts('mixed', 3, 'Content-Type: text/calendar; method=REPLY', 'BEGIN:VTIMEZONE\r\n'),
  'messages within messages': parts('mixed', 300, 'Content-Type: message/rfc822', 'From: a@b.c\r\n'),
  'more parts than allowed': parts('mixed', 100_000, '', 'a'),
  'parts without an end': nested(900, 'a\r\n'),
  'delimiters of no part': nested(900, '--b\r\n'),
  'delimiters with white space': nested(10, `--b10${' '.repeat(900)}x\r\n`),
  'winmail.dat': (size) => {
    const files = Array.from({ length: 90 }, (_, index) => attached(`${index}`, Buffer.alloc(Math.floor(size / 130))));
    const content = tnef(...files).toString('base64');
    return Buffer.from(
      `${from}Content-Type: application/ms-tnef; name=winmail.dat\r\nContent-Transfer-Encoding: base64\r\n\r\n${content}`,
    );
  },
  'short headers': header('', 'A: b\r\n'),
  'folded headers': header('Subject: a', '\r\n b'),
  'a header of encoded words': header('Subject: ', '=?utf-8?q?=41?= '),
  'a header of base64 words': header('Subject: ', '=?iso-2022-jp?b?GyRC?= '),
  recipients: header('To: ', 'a@b.c,'),
  'recipients without an address': header('To: ', ','),
  'recipients in groups': header('To: ', 'a:'),
  'recipients in comments': header('To: ', '('),
  'recipients in quotes': header('To: ', '"a" '),
  'recipients in angle brackets': header('To: ', '<'),
  'recipients of encoded words': header('To: ', '=?utf-8?b?YSA8YUBiLmM+?=,'),
  'recipients in many headers': header('', 'To: a@b.c\r\n'),
  references: header('References: ', '<a@b> '),
  'a Message-ID that does not end': header('Message-ID: <', 'a'),
  dates: header('Date: ', 'Mon, '),
  parameters: header('Content-Type: text/plain', '; a=b'),
  'continued parameters': (size) => {
    const count = Math.floor(Math.min(size, 1_000_000) / 24);
    const list = Array.from({ length: count }, (_, index) => `; name*${index}*=utf-8''%41`).join('');
    return Buffer.from(`${from}Content-Type: image/png${list}\r\n\r\n`);
  },
  'a long file name': header('Content-Type: image/png; name="', '=?utf-8?q?a?= '),
};
