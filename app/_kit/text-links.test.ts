import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkSegments } from './text-links';

const links = (text: string) => linkSegments(text).flatMap(({ text: part, href }) => (href === undefined ? [] : [[part, href]]));

test.each([
  ['See https://quark.example/a?b=1#c.', 'https://quark.example/a?b=1#c', 'https://quark.example/a?b=1#c'],
  ['(https://quark.example/a_(b))', 'https://quark.example/a_(b)', 'https://quark.example/a_(b)'],
  ['<http://quark.example>', 'http://quark.example', 'http://quark.example/'],
  ['“www.quark.example”, they said', 'www.quark.example', 'https://www.quark.example/'],
  ['write to ann.quark+x@quark.example!', 'ann.quark+x@quark.example', 'mailto:ann.quark+x@quark.example'],
  ['at http://localhost:3000/x', 'http://localhost:3000/x', 'http://localhost:3000/x'],
])('in %j, %s is a link', (text, shown, href) => {
  expect(links(text)).toEqual([[shown, href]]);
});

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'ann@',
  '@quark',
  'https://',
  'https://nowhere',
  'file:///etc/passwd',
  'a.b',
])('there is no link in %j', (text) => {
  expect(links(text)).toEqual([]);
});

test('whatever the text, its parts are the text, and links lead to the web or to a mailbox', () => {
  const part = fc.constantFrom(
    'https://',
    'www.',
    'a.example',
    '@',
    '(',
    ')',
    '.',
    ' ',
    '\n',
    'javascript:',
    '"',
    '<',
    'mailto:',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(part, fc.string())), (parts) => {
      const text = parts.join('');
      const segments = linkSegments(text);
      expect(segments.map((segment) => segment.text).join('')).toBe(text);
      for (const { text: shown, href, start } of segments) {
        expect(text.slice(start, start + shown.length)).toBe(shown);
        if (href !== undefined) expect(href).toMatch(/^(https?:\/\/|mailto:)/);
      }
    }),
  );
});

test.each([
  'a'.repeat(1_000_000),
  'a@'.repeat(500_000),
  `${'a.'.repeat(500_000)}@`,
  'www.'.repeat(250_000),
  ')'.repeat(1_000_000),
])('a megabyte in one line takes no more than a moment (%#)', (text) => {
  const before = process.cpuUsage();
  linkSegments(text);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(2_000);
});
