import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type HtmlNode, type HtmlRoot, parseHtml } from './html-tree';
import { textToHtml } from './text-to-html';

describe('text becomes HTML', () => {
  test.each([
    ['One\ntwo\n\nThree\r\n', '<p>One<br>\ntwo</p>\n<p>Three</p>'],
    ['a < b & "c" <script>', '<p>a &lt; b &amp; &quot;c&quot; &lt;script&gt;</p>'],
    ['  indented\n a  b', '<p>&nbsp;&nbsp;indented<br>\n&nbsp;a&nbsp; b</p>'],
    [
      'Yes.\n\n> Really?\n> > Sure?\nBye',
      '<p>Yes.</p>\n<blockquote type="cite">\n<p>Really?</p>\n<blockquote type="cite">\n<p>Sure?</p>\n</blockquote>\n</blockquote>\n<p>Bye</p>',
    ],
    ['', ''],
  ])('%j', (text, html) => {
    expect(textToHtml(text)).toBe(html);
  });

  const links = (text: string) => [...textToHtml(text).matchAll(/<a href="([^"]*)">([^<]*)<\/a>/g)].map(([, href]) => href);

  test.each([
    ['See https://x.example/a?b=1&c=2.', ['https://x.example/a?b=1&amp;c=2']],
    ['(https://x.example/Chair_(wood))', ['https://x.example/Chair_(wood)']],
    ['<http://x.example/>, then "https://y.example"!', ['http://x.example/', 'https://y.example']],
    ['Write to ann.lee+shop@x.example.', ['mailto:ann.lee+shop@x.example']],
    ['xhttps://x.example and javascript:alert(1) and ftp://x.example', []],
    ['ann@localhost, @ann, a@b', []],
    ['https://', []],
  ])('links in %j', (text, hrefs) => {
    expect(links(text)).toEqual(hrefs);
  });

  test('a megabyte of almost links ends', () => {
    for (const piece of ['a@', 'a.', 'http://', '(', 'https://x)))', 'a-a@a.', '> ']) {
      expect(textToHtml(piece.repeat(1_000_000 / piece.length)).length).toBeGreaterThan(0);
    }
  });
});

function words(node: HtmlNode | HtmlRoot): string {
  if (node.type === 'text') return node.value;
  return 'children' in node ? node.children.map(words).join('') : '';
}

function tags(node: HtmlNode | HtmlRoot): string[] {
  const own = node.type === 'element' ? [node.tagName] : [];
  return 'children' in node ? [...own, ...node.children.flatMap(tags)] : own;
}

test('every character but spaces and the marks of quotes arrives, and nothing but text, links and quotes', () => {
  const piece = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.constantFrom(
      '\n',
      '\n\n',
      '> ',
      '  ',
      '\t',
      'https://x.example/(a)',
      'ann@x.example',
      '<b>',
      '</p>',
      '&amp;',
      '"',
      "'",
      '<script>',
    ),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join('');
      const tree = parseHtml(textToHtml(text));
      const expected = text.replace(/^(?:> ?)+/gm, '').replace(/\s/g, '');
      expect(words(tree).replace(/\s/g, '')).toBe(expected);
      for (const tag of tags(tree)) expect(['p', 'br', 'a', 'blockquote']).toContain(tag);
    }),
    { numRuns: 300 },
  );
});
