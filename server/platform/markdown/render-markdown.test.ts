import { describe, expect, test } from 'vitest';
import { renderMarkdown } from './render-markdown';

async function htmlOf(markdown: string): Promise<string> {
  return (await renderMarkdown(markdown)).html.trim();
}

describe('GitHub-flavoured Markdown', () => {
  test('a table scrolls by keyboard, and its header cells say what they head', async () => {
    const html = await htmlOf('| a | b | |\n|---|:-:|---|\n| 1 | 2 | 3 |\n\n| c |\n|---|');
    expect(html).toContain('<div class="table" role="region" tabindex="0" aria-label="Table"><table>');
    expect(html).toContain('aria-label="Table 2"');
    expect(html).toContain('<th scope="col">a</th>\n<th align="center" scope="col">b</th>\n<td></td>');
    expect(html).toContain('<td align="center">2</td>');
  });

  test('header cells of a table in HTML', async () => {
    const html = await htmlOf('<table><tr><th>a<th>b<tr><th>1<td>2<tr><th scope=rowgroup>3<td>4</table>');
    expect(html.match(/<th [^>]*>\w/g)).toEqual([
      '<th scope="col">a',
      '<th scope="col">b',
      '<th scope="row">1',
      '<th scope="rowgroup">3',
    ]);
  });

  test('tasks can be heard and not changed', async () => {
    const html = await htmlOf('- [ ] one\n- [x] two');
    expect(html).toContain('<ul class="contains-task-list">\n<li class="task-list-item">');
    expect(html).toContain('<input type="checkbox" disabled aria-label="Not done"> one');
    expect(html).toContain('<input type="checkbox" checked disabled aria-label="Done"> two');
  });

  test('footnotes lead there and back', async () => {
    const html = await htmlOf('A[^n] and B[^n].\n\n[^n]: The note.');
    expect(html).toContain('<a href="#md-fn-n" id="md-fnref-n" class="footnote-ref" aria-describedby="md-footnote-label">1</a>');
    expect(html).toContain('<h2 class="sr-only" id="md-footnote-label">Footnotes</h2>');
    expect(html).toContain('<li id="md-fn-n">');
    expect(html).toContain('<a href="#md-fnref-n" aria-label="Back to reference 1" class="footnote-backref">');
    expect(html).toContain('<a href="#md-fnref-n-2" aria-label="Back to reference 1-2"');
    expect(html).not.toContain('data-');
  });

  test('links to elsewhere are marked, links within the site are not', async () => {
    const html = await htmlOf('<HTTPS://a.example> [b](/b) [c](c?d#e) [m](mailto:a@b.example) ~~gone~~ www.d.example');
    expect(html).toContain('<a href="https://a.example" rel="noopener">');
    expect(html).toContain('<a href="/b">b</a> <a href="c?d#e">c</a> <a href="mailto:a@b.example">m</a> <del>gone</del>');
    expect(html).toContain('<a href="http://www.d.example" rel="noopener">');
  });

  test('a link with a forbidden address is text', async () => {
    expect(await htmlOf('[x](javascript:alert) [y](//y.example)')).toBe('<p><a>x</a> <a>y</a></p>');
  });

  test('HTML that people write in Markdown stays', async () => {
    const html = await htmlOf('<details open><summary>More</summary>\n\n*text*\n\n</details>\n\nH<sub>2</sub>O <kbd>K</kbd>');
    expect(html).toContain('<details open><summary>More</summary>\n<p><em>text</em></p>\n</details>');
    expect(html).toContain('<p>H<sub>2</sub>O <kbd>K</kbd></p>');
  });

  test('what is no text of the post goes with its content, what is unknown leaves it', async () => {
    expect(await htmlOf('a<style>p{}</style><svg><text>x</text></svg><script>y</script><select><option>z</select>b')).toBe(
      '<p>ab</p>',
    );
    expect(await htmlOf('<center class="x" style="color:red" onclick="y">kept</center>')).toBe('kept');
    expect(await htmlOf('<p align="center" data-x="y" class="z">kept</p>')).toBe('<p align="center">kept</p>');
  });
});

describe('headings', () => {
  const levelsOf = async (markdown: string) =>
    [...(await htmlOf(markdown)).matchAll(/<h([1-6]) /g)].map(([, level]) => level).join('');

  test.each([
    ['# a', '2'],
    ['## a\n### b', '23'],
    ['# a\n## b\n### c\n## d\n# e', '23432'],
    ['### a\n### b', '22'],
    ['# a\n#### b\n# c', '232'],
    ['###### a\n##### b\n# c\n## d', '2223'],
    ['# a\n## b\n### c\n#### d\n##### e\n###### f', '234566'],
    ['#\n##\n## a', '2'],
  ])('%j starts at h2 and skips no level', async (markdown, levels) => {
    expect(await levelsOf(markdown)).toBe(levels);
  });

  test('each has an id of its own and a named link beside it', async () => {
    const { html, headings } = await renderMarkdown('## Set *up*\n\n## Set up\n\n### 日本語\n\n<h4 id="x">Deep</h4>\n\n## ✓');
    expect(headings).toEqual([
      { id: 'md-set-up', text: 'Set up', level: 2 },
      { id: 'md-set-up-1', text: 'Set up', level: 2 },
      { id: 'md-日本語', text: '日本語', level: 3 },
      { id: 'md-section', text: '✓', level: 2 },
    ]);
    expect(html).toContain('<div class="heading"><h2 id="md-set-up">Set <em>up</em></h2>');
    expect(html).toContain('<a class="anchor" href="#md-set-up" aria-label="Link to “Set up”"></a></div>');
    expect(html).toContain('<h4 id="md-x">Deep</h4>');
  });

  test('never take the id of something else', async () => {
    const { html, headings } = await renderMarkdown(
      '<p id="a">x</p><p id="a">y</p>\n\n## A\n\n## A-1\n\n## A\n\nb[^1]\n\n## Fn 1\n\n[^1]: c',
    );
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(headings).toHaveLength(4);
    expect(html).toContain('<li id="md-fn-1">');
  });

  test('and other anchors can be linked to as the author wrote them', async () => {
    const html = await htmlOf(
      '[a](#my-part) [b](#here) [c](#日本) [d](#nowhere) [e](#%)\n\n## My part\n\n<a name="here"></a>\n\n## 日本',
    );
    expect(html).toContain('<a href="#md-my-part">a</a> <a href="#md-here">b</a> <a href="#md-%E6%97%A5%E6%9C%AC">c</a>');
    expect(html).toContain('<a href="#nowhere">d</a> <a href="#%25">e</a>');
    expect(html).toContain('<a id="md-here"></a>');
  });

  test('inside a link or a summary have no link of their own', async () => {
    const html = await htmlOf('<details><summary><h2>In</h2></summary>x</details>\n\n<div><a href="/x"><h2>Out</h2></a></div>');
    expect(html).not.toContain('anchor');
    expect(html).toContain('<summary><h2 id="md-in">In</h2></summary>');
  });

  test('of a picture are named by it', async () => {
    const { headings } = await renderMarkdown('## ![Logo](/logo.png)');
    expect(headings).toEqual([{ id: 'md-section', text: 'Logo', level: 2 }]);
  });
});

describe('images', () => {
  test('are marked by their place in the list, load late and keep their text', async () => {
    const { html, images } = await renderMarkdown(
      '![A "b"](https://i.example/a.png "T") ![](/b.png)\n\n![again](HTTPS://i.example/a.png)',
    );
    expect(images).toEqual(['https://i.example/a.png', '/b.png']);
    expect(html).toContain(
      '<img data-image="0" alt="A &#x22;b&#x22;" src="https://i.example/a.png" title="T" loading="lazy" decoding="async">',
    );
    expect(html).toContain('<img data-image="1" alt="" src="/b.png" loading="lazy" decoding="async">');
    expect(html).toContain('<img data-image="0" alt="again"');
  });

  test('that may not be shown leave their text', async () => {
    const { html, images } = await renderMarkdown('![one](data:image/png;base64,AA) ![two](b.png) ![three](//i.example/c.png)');
    expect(html).toBe('<p>one two three</p>');
    expect(images).toEqual([]);
  });
});

describe('code', () => {
  test('is coloured by classes', async () => {
    const html = await htmlOf('```ts\nconst a = "<b>"; // c\n```');
    expect(html).toMatch(/^<pre tabindex="0"><code class="language-ts"><span class="tok-keyword">const<\/span> a /);
    expect(html).toContain('<span class="tok-string">"&#x3C;b>"</span>');
    expect(html).toContain('<span class="tok-comment">// c\n</span></code></pre>');
    expect(html).not.toMatch(/style|#[0-9a-f]{6}/i);
  });

  test.each(['', 'nope', 'constructor', 'JS<', 'x'.repeat(200)])('in the language %j is plain', async (language) => {
    expect(await htmlOf(`\`\`\`${language}\nconst a = 1;\n\`\`\``)).toMatch(/<code[^>]*>const a = 1;\n<\/code><\/pre>$/);
  });

  test('keeps every character', async () => {
    const code = '\tconst a = `x`;\n\n  <!-- é 日本 -->"\n';
    for (const language of ['ts', 'html', 'md', 'sh', 'diff']) {
      const html = await htmlOf(`~~~${language}\n${code}~~~`);
      const text = html
        .replace(/<[^>]+>/g, '')
        .replaceAll('&#x3C;', '<')
        .replaceAll('&#x26;', '&');
      expect(text).toBe(code);
    }
  });

  test('of a size that nobody reads is plain', async () => {
    const line = 'const a = 1;\n';
    const large = `\`\`\`js\n${line.repeat(8_000)}\`\`\`\n\n`;
    const html = await htmlOf(`${large}\`\`\`js\n${line}\`\`\``);
    expect(html.match(/tok-keyword/g)).toHaveLength(1);
  });

  test('of many languages: those beyond a number stay plain', async () => {
    const languages =
      'js ts css html json yaml toml xml sql sh python ruby go rust java c cpp csharp php lua perl swift kotlin dart r scala zig'.split(
        ' ',
      );
    const html = await htmlOf(languages.map((language) => `\`\`\`${language}\n1 "a"\n\`\`\``).join('\n\n'));
    expect(html).toMatch(/language-js"><span/);
    expect(html).toMatch(/language-zig">1/);
  });
});

describe('text', () => {
  test('is the prose, a line a block, without code, pictures and footnote marks', async () => {
    const { text, wordCount } = await renderMarkdown(
      '# Title\n\nOne *two*\nthree[^1] `four`.\n\n- a\n- b\n\n```\ncode\n```\n\n![alt](/x.png)\n\n| c | d |\n|-|-|\n| e | f |\n\n[^1]: Note.',
    );
    expect(text).toBe('Title\nOne two three four.\na\nb\nc d\ne f\nNote.');
    expect(wordCount).toBe(12);
  });

  test('of nothing is nothing', async () => {
    expect(await renderMarkdown('')).toEqual({ html: '', headings: [], images: [], text: '', wordCount: 0 });
  });
});

describe('a start tag without an end', () => {
  test.each([
    ['Put it into the <title> tag.\n\nNext.\n\n## Prices', ['Put it into the &#x3C;title> tag.', 'Next.', 'Prices']],
    ['Then add a <select> to the form.\n\nNext.', ['a &#x3C;select> to the form.', 'Next.']],
    ['<video src="https://x.example/a.mp4" controls />\n\nNext.', ['Next.']],
    ['<iframe src="https://www.youtube.com/embed/x" />\n\nNext.', ['Next.']],
    ['One <noscript> two.\n\n<audio>\n\nNext.', ['One &#x3C;noscript> two.', 'Next.']],
    ['A <title>b</title> c <title> d.', ['c &#x3C;title> d.']],
  ])('takes nothing with it: %s', async (markdown, kept) => {
    const html = await htmlOf(markdown);
    for (const words of kept) expect(html).toContain(words);
    expect(html).not.toMatch(/<(?:title|select|video|iframe|noscript|audio)/);
  });
});

describe('limits', () => {
  test.each([
    ['a source beyond a megabyte', 'a '.repeat(600_000)],
    ['a long address repeated by reference', `[a]: /${'x'.repeat(100_000)}\n\n${'[a] '.repeat(1_000)}`],
    ['more headings than a page can hold', '<h2>a</h2>'.repeat(60_000)],
  ])('%s', async (_, markdown) => {
    await expect(renderMarkdown(markdown)).rejects.toThrow('too large');
  });
});
