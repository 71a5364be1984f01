import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { renderMailMarkdown } from './mail-markdown';

const picture = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';

describe('an email in Markdown', () => {
  test.each([
    [
      'Hello **Ann**,\nit is *ready*.',
      '<p>Hello <strong>Ann</strong>,<br>\nit is <em>ready</em>.</p>',
      'Hello Ann,\nit is ready.',
    ],
    [
      '- one\n- two\n\n1. first',
      '<ul>\n<li>one</li>\n<li>two</li>\n</ul>\n<ol>\n<li>first</li>\n</ol>',
      '* one\n * two\n\n 1. first',
    ],
    ['> quoted', '<blockquote>\n<p>quoted</p>\n</blockquote>', '> quoted'],
    ['[The shop](https://x.example/a)', '<p><a href="https://x.example/a">The shop</a></p>', 'The shop (https://x.example/a)'],
    ['<https://x.example/>', '<p><a href="https://x.example/">https://x.example/</a></p>', 'https://x.example/'],
    ['ann@x.example', '<p><a href="mailto:ann@x.example">ann@x.example</a></p>', 'ann@x.example'],
    ['- [x] done\n- [ ] open', '<ul>\n<li>☑ done</li>\n<li>☐ open</li>\n</ul>', '* ☑ done\n * ☐ open'],
    [
      'Use List<String> or <b>bold</b>.',
      '<p>Use List&#x3C;String> or &#x3C;b>bold&#x3C;/b>.</p>',
      'Use List<String> or <b>bold</b>.',
    ],
    ['[here](/relative) ![x](/x.png)', '<p><a>here</a> x</p>', 'here x'],
    ['', '', ''],
  ])('%j has both parts', async (markdown, html, text) => {
    expect(await renderMailMarkdown(markdown)).toEqual({ html, text, pictures: [] });
  });

  test('has tables with lines', async () => {
    const { html, text } = await renderMailMarkdown('| Bike | Price |\n|---|--:|\n| City | 900 |');
    expect(html).toContain('<table border="1" cellpadding="6" style="border-collapse:collapse">');
    expect(html).toContain('<td align="right">900</td>');
    expect(text).toBe('Bike Price\nCity 900');
  });

  test('shows attachments', async () => {
    const { html, text, pictures } = await renderMailMarkdown(
      `![Map](attachment:${picture.toUpperCase()})\n\n![](attachment:${picture}) ![Logo](https://x.example/l.png)`,
    );
    expect(pictures).toEqual([picture]);
    expect(html).toContain(`<img src="cid:${picture}@frontdesk" alt="Map" style="max-width:100%">`);
    expect(html).toContain('<img src="https://x.example/l.png" alt="Logo" style="max-width:100%">');
    expect(text).toBe('[Map]\n\n[Logo]');
  });

  test.each([
    '[x](javascript:alert(1))',
    '![x](data:image/svg+xml;base64,PHN2Zz4=)',
    '![x](http://inside.example/x.png)',
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[x]: javascript:alert(1)\n\n[x]',
    '![x](attachment:x"onerror="alert(1))',
  ])('%j holds nothing dangerous', async (markdown) => {
    const { html } = await renderMailMarkdown(markdown);
    expect(html).not.toMatch(/<script|(?:href|src)="(?:javascript|data|http):|<[^>]*\sonerror=/i);
  });

  test('keeps every word that is typed', async () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    const mark = fc.constantFrom('*', '**', '`', '<', '>', '</', '[', '](', '\n', '\n\n', ' ', '# ', '~~');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(mark, word), { maxLength: 12 }), async (parts) => {
        const words = parts.map(([, each]) => each);
        const { text } = await renderMailMarkdown(parts.map(([before, each]) => `${before} ${each} `).join(''));
        for (const each of words) expect(text).toContain(each);
      }),
    );
  });
});

test('an email that becomes too large is refused, and text is not cut', async () => {
  await expect(renderMailMarkdown('*a*\n\n'.repeat(30_000))).rejects.toThrow('too large');
  const long = `${'*a*\n\n'.repeat(15_000)}end`;
  expect((await renderMailMarkdown(long)).text).toBe(long);
});
