import { afterEach, describe, expect, test } from 'vitest';
import { QueueFull } from '../semaphore';
import { closeRenderPool, createRenderPool, type RenderPool, renderPool } from './render-pool';

/** Takes micromark quadratic time: many minutes. */
const hostile = '*a_'.repeat(300_000);
/** Takes hundreds of megabytes. */
const large = '*a '.repeat(300_000);
let pool: RenderPool | undefined;

afterEach(async () => {
  await pool?.close();
  pool = undefined;
  await closeRenderPool();
});

describe('rendering in threads', () => {
  test('gives what rendering gives, two at a time', async () => {
    const [one, two] = await Promise.all([
      renderPool().markdown('# One', { owner: 'a' }),
      renderPool().markdown('```js\n1\n```', { owner: 'b' }),
    ]);
    expect(one).toMatchObject({ headings: [{ id: 'md-one', text: 'One', level: 2 }], text: 'One', wordCount: 1 });
    expect(one).not.toHaveProperty('fallback');
    expect(two.html).toContain('tok-constant');
  });

  test('says what it adds in the language of the post', async () => {
    const { html } = await renderPool().markdown('- [x] a[^1]\n\n[^1]: b', { owner: 'a', language: 'de-AT' });
    expect(html).toContain('aria-label="Erledigt"');
    expect(html).toContain('aria-label="Zurück zu Verweis 1"');
    expect(html).toMatch(/<h2[^>]*>Fußnoten<\/h2>/);
  });

  test('a post beyond the time limit is shown as its source, and the next one is rendered', async () => {
    pool = createRenderPool({ threads: 1, renderTime: 5_000, startTime: 60_000 });
    const slow = await pool.markdown(`<b>&\n\n${hostile}`, { owner: 'a' });
    expect(slow).toMatchObject({ fallback: true, headings: [], images: [] });
    expect(slow.html).toMatch(/^<p>&lt;b&gt;&amp;<\/p>\n<p>\*a_\*a_/);
    expect(await pool.markdown('*fine*', { owner: 'a' })).toMatchObject({ html: '<p><em>fine</em></p>' });
  });

  test('so is one beyond the memory limit', async () => {
    pool = createRenderPool({ threads: 1, memory: 64, renderTime: 25_000 });
    expect(await pool.markdown(large, { owner: 'a' })).toMatchObject({ fallback: true });
    expect(await pool.markdown('*fine*', { owner: 'a' })).toMatchObject({ html: '<p><em>fine</em></p>' });
  });

  test('and one that is longer than any that is rendered', async () => {
    expect(await renderPool().markdown('a\n\n'.repeat(1_700_000), { owner: 'a' })).toMatchObject({
      fallback: true,
      text: expect.stringMatching(/^a a /),
      wordCount: expect.closeTo(1_700_000, -5),
    });
  });

  test('only so many wait for a thread, and not for ever', async () => {
    pool = createRenderPool({ threads: 1, queued: 1, maxWait: 50, renderTime: 25_000 });
    const running = pool.markdown(hostile, { owner: 'a' });
    const waiting = pool.markdown('*waits*', { owner: 'b' });
    const refused = expect(waiting).rejects.toThrow(QueueFull);
    expect(pool.load()).toEqual({ running: 1, waiting: 1 });
    await expect(pool.markdown('*too many*', { owner: 'c' })).rejects.toThrow(QueueFull);
    await refused;
    expect(pool.load()).toEqual({ running: 1, waiting: 0 });
    await pool.close();
    expect(await running).toMatchObject({ fallback: true });
    expect(pool.load()).toEqual({ running: 0, waiting: 0 });
  });

  test('one owner’s heavy posts leave a thread for everybody else', async () => {
    pool = createRenderPool({ renderTime: 25_000 });
    const heavy = Promise.allSettled([pool.markdown(hostile, { owner: 'a' }), pool.markdown(hostile, { owner: 'a' })]);
    expect(await pool.markdown('*light*', { owner: 'b' })).toMatchObject({ html: '<p><em>light</em></p>' });
    expect(pool.load()).toEqual({ running: 1, waiting: 1 });
    await pool.close();
    await heavy;
  });

  test('one that waited its turn is rendered', async () => {
    pool = createRenderPool({ threads: 1, queued: 2, maxWait: 25_000, renderTime: 25_000 });
    const all = await Promise.all(['*a*', '*b*', '*c*'].map((markdown) => pool?.markdown(markdown, { owner: 'a' })));
    expect(all.map((rendered) => rendered?.html)).toEqual(['<p><em>a</em></p>', '<p><em>b</em></p>', '<p><em>c</em></p>']);
  });

  test('the main thread stays free meanwhile', async () => {
    pool = createRenderPool({ threads: 1, renderTime: 1_500 });
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 10);
    await pool.markdown(hostile, { owner: 'a' });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });

  test('after closing, threads start again', async () => {
    await renderPool().markdown('a', { owner: 'a' });
    await closeRenderPool();
    expect(await renderPool().markdown('*b*', { owner: 'a' })).toMatchObject({ html: '<p><em>b</em></p>' });
  });

  test('renders the HTML of a mail, as a page and as text', async () => {
    const html = '<p onclick=x()>Hello <img src="cid:a@x"></p>';
    const imageUrls = new Map([['a@x', '/a']]);
    const { page } = await renderPool().mailPage({ html, remoteImages: false, imageUrls }, { owner: 'a' });
    expect(page).toContain('<p>Hello <img src="/a"></p>');
    expect(await renderPool().mailText(html, { owner: 'a' })).toBe('Hello');
  });

  test('shows the words of a mail beyond the time limit', async () => {
    pool = createRenderPool({ threads: 1, mailTime: 1 });
    const html = `<p>1 &lt; 2</p>${'<p>a'.repeat(250_000)}`;
    const { page, fallback } = await pool.mailPage({ html, remoteImages: false, imageUrls: new Map() }, { owner: 'a' });
    expect(fallback).toBe(true);
    expect(page).toContain('<pre class="frontdesk-words">1 &lt; 2\na\na');
    expect(await pool.mailText(html, { owner: 'a' })).toMatch(/^1 < 2\na/);
  });
});
