import type { APIRequestContext, Page } from '@playwright/test';
import {
  collectBrowserErrors,
  collectForeignHosts,
  expectAccessibleInBothThemes,
  expectNoSidewaysScroll,
} from '../support/browser';
import { expect, type Tenant, test } from '../support/test';

/** The public blog as readers get it: nobody is signed in, and nothing runs. */

const long = Array.from(
  { length: 60 },
  (_, n) => `Sentence ${n} is about brakes, rims and the weather of the harbour in autumn.`,
).join(' ');

const content = `Intro with a [link](https://example.com) and \`code\`.

## First part

${long}

## Second part

\`\`\`ts
export const answer: number = 42; // ${'a long line '.repeat(20)}
\`\`\`

| Brake | Dry | Wet | Cleaned | And one more column |
|:--|--:|--:|--:|--|
| Rim | 5.8 m | 14.2 m | 8.9 m | ${'wide '.repeat(20)} |

### A detail

- [x] done
- [ ] open[^1]

## Third part

> ${long}

## Fourth part

<details><summary>More</summary>Hidden text</details>

[^1]: A note.
`;

async function publish(
  request: APIRequestContext,
  { key }: Tenant,
  fields: object = {},
): Promise<{ id: string; url: string; path: string }> {
  const headers = { Authorization: `Bearer ${key}` };
  const data = { title: 'Wet brakes', content, authorName: 'Mara Lindqvist', tags: ['brakes', 'winter'], ...fields };
  const { post } = (await (await request.post('/api/v1/blog/posts', { headers, data })).json()).data;
  const published = (await (await request.post(`/api/v1/blog/posts/${post.id}/publish`, { headers })).json()).data.post;
  return { id: post.id, url: published.url, path: new URL(published.url).pathname };
}

/** Sum of all layout shifts, as browsers report them (CLS without its windows). */
function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      }),
  );
}

test('every page of a blog is accessible, quiet, and asks nobody else for anything', async ({
  page,
  tenant,
  request,
  baseURL,
}) => {
  const { path } = await publish(request, tenant);
  await publish(request, tenant, { title: 'Short one', content: 'Just a line.', tags: [] });
  const complaints = collectBrowserErrors(page);
  const foreign = collectForeignHosts(page, baseURL ?? '');
  const blog = `/blog/${tenant.handle}`;
  for (const address of [path, blog, `${blog}?tag=brakes`]) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    expect(await layoutShift(page)).toBe(0);
    await expectAccessibleInBothThemes(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await expectNoSidewaysScroll(page);
    expect(await layoutShift(page)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  expect(complaints).toEqual([]);
  expect(foreign).toEqual([]);
  for (const address of [`${blog}/nothing-here`, '/blog/nobody-at-all']) {
    await page.goto(address);
    await expectAccessibleInBothThemes(page);
  }
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('a reader finds a post, reads it, and goes on', async ({ page, tenant, request }) => {
    await publish(request, tenant, { title: 'Older', content: 'Old text.' });
    await publish(request, tenant);
    await page.goto(`/blog/${tenant.handle}`);
    await page.getByRole('link', { name: 'Wet brakes' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Wet brakes');
    await expect(page.getByRole('table')).toContainText('14.2 m');
    await expect(page.locator('pre .tok-keyword').first()).toContainText('export');
    const contents = page.getByRole('navigation', { name: 'Contents' });
    await contents.getByText('Contents').click();
    await contents.getByRole('link', { name: 'Fourth part' }).click();
    await expect(page).toHaveURL(/#md-fourth-part$/);
    await page.getByRole('link', { name: 'winter' }).click();
    await expect(page).toHaveURL(/\?tag=winter$/);
    await page.getByRole('link', { name: 'Older' }).click();
    await expect(page.getByText('Old text.')).toBeVisible();
  });
});

test('a post tells search engines and other sites what it is', async ({ page, tenant, request }) => {
  const { url, path } = await publish(request, tenant, { metaDescription: 'What to do in the rain.' });
  await page.goto(path);
  await expect(page).toHaveTitle(/^Wet brakes · /);
  const meta = (name: string) => page.locator(`meta[name="${name}"], meta[property="${name}"]`).first();
  await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', url);
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await expect(meta('description')).toHaveAttribute('content', 'What to do in the rain.');
  await expect(meta('og:type')).toHaveAttribute('content', 'article');
  await expect(meta('og:url')).toHaveAttribute('content', url);
  await expect(meta('twitter:card')).toHaveAttribute('content', 'summary_large_image');
  const image = (await meta('og:image').getAttribute('content')) ?? '';
  expect((await request.get(new URL(image).pathname)).headers()['content-type']).toBe('image/png');
  for (const type of ['application/rss+xml', 'application/atom+xml', 'application/feed+json']) {
    const feed = page.locator(`link[rel="alternate"][type="${type}"]`);
    expect((await request.get((await feed.getAttribute('href')) ?? '')).status()).toBe(200);
  }
  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '');
  const types = data['@graph'].map((node: { '@type': string }) => node['@type']);
  expect(types).toEqual(expect.arrayContaining(['BlogPosting', 'BreadcrumbList']));
  expect(data['@graph'].find((node: { '@type': string }) => node['@type'] === 'BlogPosting')).toMatchObject({
    headline: 'Wet brakes',
    url,
    keywords: ['brakes', 'winter'],
  });
});

test('on paper a post is black on white, without what one can only click', async ({ page, tenant, request }) => {
  const { path } = await publish(request, tenant);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.goto(path);
  await expect(page.getByRole('navigation')).toHaveCount(0);
  const colours = await page.evaluate(() => {
    const { color, backgroundColor } = getComputedStyle(document.documentElement);
    return [color, backgroundColor];
  });
  expect(colours).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
});

test('a text post weighs little', async ({ page, tenant, request }) => {
  const { path } = await publish(request, tenant);
  let transferred = 0;
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    transferred += encodedDataLength;
  });
  await page.goto(path);
  await expect.poll(() => transferred).toBeGreaterThan(3_000);
  expect(transferred).toBeLessThan(60_000);
});
