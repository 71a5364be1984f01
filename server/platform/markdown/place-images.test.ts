import { expect, test } from 'vitest';
import { placeImages } from './place-images';
import { renderMarkdown } from './render-markdown';

test('each image gets the attributes of its address', async () => {
  const { html, images } = await renderMarkdown('![a](/a.png) ![b](/b.png) ![a](/a.png)');
  const sizes: Record<string, number> = { '/a.png': 640 };
  const placed = placeImages(html, (index) => {
    const width = sizes[images[index] ?? ''];
    return width ? { width, srcset: '/a.png?w=1&x="<2>" 1x' } : null;
  });
  expect(placed.match(/<img [^ ]+/g)).toEqual(['<img width="640"', '<img alt="b"', '<img width="640"']);
  expect(placed).toContain(' srcset="/a.png?w=1&amp;x=&quot;&lt;2&gt;&quot; 1x" alt="a"');
  expect(placed).not.toContain('data-image');
});

test('what only looks like a marker stays', async () => {
  const lookalikes = '`<img data-image="0"` and \\<img data-image="0"> and <b title=\'<img data-image="0"\'>x</b>';
  const { html } = await renderMarkdown(lookalikes);
  expect(placeImages(html, () => ({ width: 1 }))).toBe(html);
});
