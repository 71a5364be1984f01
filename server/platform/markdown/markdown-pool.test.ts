import { afterEach, describe, expect, test } from 'vitest';
import { QueueFull } from '../semaphore';
import { closeMarkdownPool, createMarkdownPool, type MarkdownPool, renderInWorker } from './markdown-pool';

/** Takes micromark time by the square of its length: many minutes. */
const hostile = '*a_'.repeat(300_000);
/** Takes hundreds of megabytes. */
const large = '*a '.repeat(300_000);
let pool: MarkdownPool | undefined;

afterEach(async () => {
  await pool?.close();
  pool = undefined;
  await closeMarkdownPool();
});

describe('rendering in threads', () => {
  test('gives what rendering gives, two at a time', async () => {
    const [one, two] = await Promise.all([
      renderInWorker('# One', { owner: 'a' }),
      renderInWorker('```js\n1\n```', { owner: 'b' }),
    ]);
    expect(one).toMatchObject({ headings: [{ id: 'md-one', text: 'One', level: 2 }], text: 'One', wordCount: 1 });
    expect(one).not.toHaveProperty('fallback');
    expect(two.html).toContain('tok-constant');
  });

  test('says what it adds in the language of the post', async () => {
    const { html } = await renderInWorker('- [x] a[^1]\n\n[^1]: b', { owner: 'a', language: 'de-AT' });
    expect(html).toContain('aria-label="Erledigt"');
    expect(html).toContain('aria-label="Zurück zu Verweis 1"');
    expect(html).toMatch(/<h2[^>]*>Fußnoten<\/h2>/);
  });

  test('a post beyond the time limit is shown as its source, and the next one is rendered', async () => {
    pool = createMarkdownPool({ threads: 1, renderTime: 1_500 });
    const slow = await pool.render(`<b>&\n\n${hostile}`, { owner: 'a' });
    expect(slow).toMatchObject({ fallback: true, headings: [], images: [] });
    expect(slow.html).toMatch(/^<p>&lt;b&gt;&amp;<\/p>\n<p>\*a_\*a_/);
    expect(await pool.render('*fine*', { owner: 'a' })).toMatchObject({ html: '<p><em>fine</em></p>' });
  });

  test('so is one beyond the memory limit', async () => {
    pool = createMarkdownPool({ threads: 1, memory: 64, renderTime: 25_000 });
    expect(await pool.render(large, { owner: 'a' })).toMatchObject({ fallback: true });
    expect(await pool.render('*fine*', { owner: 'a' })).toMatchObject({ html: '<p><em>fine</em></p>' });
  });

  test('and one that is longer than any that is rendered', async () => {
    expect(await renderInWorker('a\n\n'.repeat(1_700_000), { owner: 'a' })).toMatchObject({
      fallback: true,
      text: expect.stringMatching(/^a a /),
      wordCount: expect.closeTo(1_700_000, -5),
    });
  });

  test('only so many wait for a thread, and not for ever', async () => {
    pool = createMarkdownPool({ threads: 1, queued: 1, maxWait: 50, renderTime: 25_000 });
    const running = pool.render(hostile, { owner: 'a' });
    const waiting = pool.render('*waits*', { owner: 'b' });
    const refused = expect(waiting).rejects.toThrow(QueueFull);
    expect(pool.load()).toEqual({ running: 1, waiting: 1 });
    await expect(pool.render('*too many*', { owner: 'c' })).rejects.toThrow(QueueFull);
    await refused;
    expect(pool.load()).toEqual({ running: 1, waiting: 0 });
    await pool.close();
    expect(await running).toMatchObject({ fallback: true });
    expect(pool.load()).toEqual({ running: 0, waiting: 0 });
  });

  test('one owner’s heavy posts leave a thread for everybody else', async () => {
    pool = createMarkdownPool({ renderTime: 25_000 });
    const heavy = Promise.allSettled([pool.render(hostile, { owner: 'a' }), pool.render(hostile, { owner: 'a' })]);
    expect(await pool.render('*light*', { owner: 'b' })).toMatchObject({ html: '<p><em>light</em></p>' });
    expect(pool.load()).toEqual({ running: 1, waiting: 1 });
    await pool.close();
    await heavy;
  });

  test('one that waited its turn is rendered', async () => {
    pool = createMarkdownPool({ threads: 1, queued: 2, maxWait: 25_000, renderTime: 25_000 });
    const all = await Promise.all(['*a*', '*b*', '*c*'].map((markdown) => pool?.render(markdown, { owner: 'a' })));
    expect(all.map((rendered) => rendered?.html)).toEqual(['<p><em>a</em></p>', '<p><em>b</em></p>', '<p><em>c</em></p>']);
  });

  test('the main thread stays free meanwhile', async () => {
    pool = createMarkdownPool({ threads: 1, renderTime: 1_500 });
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 10);
    await pool.render(hostile, { owner: 'a' });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(20);
  });

  test('after closing, threads start again', async () => {
    await renderInWorker('a', { owner: 'a' });
    await closeMarkdownPool();
    expect(await renderInWorker('*b*', { owner: 'a' })).toMatchObject({ html: '<p><em>b</em></p>' });
  });
});
