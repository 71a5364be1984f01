import type { APIRequestContext, Browser, Page } from '@playwright/test';
import { expectAccessible, signIn } from '../support/browser';
import { expect, type Tenant, test } from '../support/test';

/** Writing a post: nothing typed is lost, nothing is overwritten unseen, and the preview is the page that readers get. */

const headersOf = ({ key }: Tenant) => ({ Authorization: `Bearer ${key}` });
const title = (page: Page) => page.getByRole('textbox', { name: 'Title' });
const text = (page: Page) => page.getByRole('textbox', { name: 'Text (Markdown)' });
const preview = (page: Page) => page.frameLocator('iframe').locator('body');
const status = (page: Page, words: string | RegExp) =>
  expect(page.getByRole('banner').or(page.locator('header')).getByText(words).first()).toBeVisible();

interface Post {
  id: string;
  title: string;
  content: string;
  slug: string;
  status: string;
  revision: number;
  coverImageUrl: string;
}

async function readPost(request: APIRequestContext, tenant: Tenant, id: string): Promise<Post> {
  return (await (await request.get(`/api/v1/blog/posts/${id}`, { headers: headersOf(tenant) })).json()).data.post;
}

async function write(request: APIRequestContext, tenant: Tenant, fields: object = {}, publish = false): Promise<Post> {
  const headers = headersOf(tenant);
  const data = { title: 'Wet brakes', content: 'Clean the *rims*.', authorName: 'Mara', ...fields };
  const { post } = (await (await request.post('/api/v1/blog/posts', { headers, data })).json()).data;
  if (publish) await request.post(`/api/v1/blog/posts/${post.id}/publish`, { headers });
  return post;
}

async function change(request: APIRequestContext, tenant: Tenant, id: string, data: object): Promise<void> {
  expect((await request.patch(`/api/v1/blog/posts/${id}`, { headers: headersOf(tenant), data })).status()).toBe(200);
}

/** Opens a post and waits until it can be typed in. */
async function openPost(page: Page, tenant: Tenant, path: string): Promise<void> {
  await signIn(page, tenant, path);
  await expect(text(page)).toBeVisible();
}

/** Types at the end of the text. */
async function typeOn(page: Page, words: string): Promise<void> {
  await text(page).click();
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type(words);
}

/** The same owner in another browser. */
async function elsewhere(browser: Browser, tenant: Tenant, path: string, baseURL: string | undefined): Promise<Page> {
  const page = await (await browser.newContext({ baseURL: baseURL ?? '' })).newPage();
  await openPost(page, tenant, path);
  return page;
}

test('a post is written, kept by itself, and published', async ({ page, tenant, request }) => {
  await openPost(page, tenant, '/posts/new');
  await title(page).fill('Wet brakes');
  await text(page).click();
  await page.keyboard.type('## Rims\n\nClean the *rims* with 3 words.');
  await expect(preview(page).getByRole('heading', { name: 'Rims' })).toBeVisible();
  await expect(preview(page).getByRole('heading', { level: 1 })).toHaveText('Wet brakes');
  await expect(page).toHaveURL(/\/posts\/[0-9a-f-]{36}$/);
  await status(page, 'Saved');
  await status(page, /7 words/);
  const id = page.url().split('/').at(-1) ?? '';
  expect(await readPost(request, tenant, id)).toMatchObject({ title: 'Wet brakes', slug: 'wet-brakes', status: 'draft' });

  // The address changed under the editor, which went on as if nothing had happened.
  await page.keyboard.type(' More.');
  await expect.poll(async () => (await readPost(request, tenant, id)).content).toContain('3 words. More.');

  await page.getByRole('button', { name: 'Publish' }).click();
  await status(page, /Published \d/);
  const shown = await (await request.get(`/blog/${tenant.handle}/wet-brakes`)).text();
  expect(shown).toContain('<p>Clean the <em>rims</em> with 3 words. More.</p>');
});

test('what is published changes when one says so', async ({ page, tenant, request }) => {
  const { id } = await write(request, tenant, {}, true);
  await openPost(page, tenant, `/posts/${id}`);
  await typeOn(page, ' And the pads.');
  await status(page, 'Unsaved changes. Click Update to publish them.');
  await expect(preview(page)).toContainText('And the pads.');
  expect((await readPost(request, tenant, id)).content).not.toContain('pads');

  // Closed and opened again, it is still here, and readers still have the other one.
  await page.reload();
  await expect(page.getByText('Your unsaved changes were restored.')).toBeVisible();
  await expect(text(page)).toContainText('And the pads.');
  await text(page).click();
  await page.keyboard.press('ControlOrMeta+s');
  await status(page, /Published \d/);
  expect(await (await request.get(`/blog/${tenant.handle}/wet-brakes`)).text()).toContain('And the pads.');
});

test('without a connection it is kept here, and saved when there is one again', async ({ page, context, tenant, request }) => {
  const { id } = await write(request, tenant);
  await openPost(page, tenant, `/posts/${id}`);
  await status(page, 'Saved');
  await context.setOffline(true);
  await typeOn(page, ' Typed on a train.');
  await status(page, /Not saved: .*Saved in this browser only\./);
  await context.setOffline(false);
  await status(page, 'Saved');
  await expect.poll(async () => (await readPost(request, tenant, id)).content).toBe('Clean the *rims*. Typed on a train.');
});

test('what was changed elsewhere is shown, and overwritten only by choice', async ({
  page,
  browser,
  tenant,
  request,
  baseURL,
}) => {
  const { id } = await write(request, tenant);
  await openPost(page, tenant, `/posts/${id}`);
  const other = await elsewhere(browser, tenant, `/posts/${id}`, baseURL);
  await typeOn(other, ' By the other.');
  await status(other, 'Saved');
  await expect.poll(async () => (await readPost(request, tenant, id)).content).toContain('By the other.');

  await typeOn(page, ' By me.');
  await expect(page.getByRole('alert').filter({ hasText: 'This post was changed elsewhere' })).toBeVisible();
  expect((await readPost(request, tenant, id)).content).toBe('Clean the *rims*. By the other.');
  await page.getByRole('button', { name: 'Compare versions' }).click();
  await expect(page.getByRole('dialog')).toContainText('By the other.');
  await page.getByRole('dialog').getByRole('button', { name: 'Keep mine' }).click();
  await expect.poll(async () => (await readPost(request, tenant, id)).content).toBe('Clean the *rims*. By me.');

  await typeOn(other, ' Late.');
  await other.getByRole('button', { name: 'Use theirs' }).click();
  await expect(text(other)).toHaveText('Clean the *rims*. By me.');
  expect((await readPost(request, tenant, id)).content).toBe('Clean the *rims*. By me.');
  await other.context().close();
});

test('a public address that changes says so, and a taken one is told at its field', async ({ page, tenant, request }) => {
  await write(request, tenant, { title: 'Taken', slug: 'taken' });
  const { id } = await write(request, tenant, {}, true);
  await openPost(page, tenant, `/posts/${id}`);
  await page.getByRole('button', { name: 'Details' }).click();
  const address = page.getByRole('textbox', { name: 'URL', exact: true });
  await address.fill('taken');
  await expect(page.getByText('The public URL will change. The old URL will redirect to it.')).toBeVisible();
  await page.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText(/is taken/).first()).toBeVisible();
  await address.fill('dry-brakes');
  await page.getByRole('button', { name: 'Update' }).click();
  await expect.poll(async () => (await readPost(request, tenant, id)).slug).toBe('dry-brakes');
  const led = await request.get(`/blog/${tenant.handle}/wet-brakes`, { maxRedirects: 0 });
  expect([led.status(), led.headers().location]).toEqual([308, `/blog/${tenant.handle}/dry-brakes`]);
});

test('pictures are uploaded, as the cover and into the text', async ({ page, tenant, request }) => {
  const { id } = await write(request, tenant);
  await openPost(page, tenant, `/posts/${id}`);
  const drawing = await page.screenshot();
  const file = { name: 'quay.png', mimeType: 'image/png', buffer: drawing };
  await page.getByLabel('Images to add').setInputFiles(file);
  const question = page.getByRole('dialog', { name: 'Describe the image' });
  await question.getByLabel('Alt text').fill('The quay [at night]');
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Add image' }).click();
  await expect(text(page)).toContainText('![The quay \\[at night\\]](/blog/');
  await expect(preview(page).getByRole('img', { name: 'The quay [at night]' })).toBeVisible();
  await expect(preview(page).getByRole('img').last()).toHaveAttribute('width', /^\d+$/);

  await page.getByRole('button', { name: 'Details' }).click();
  await page
    .getByLabel('Cover image to upload')
    .setInputFiles({ name: 'text.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await expect(page.getByRole('alert').filter({ hasText: 'Couldn’t upload the image.' })).toBeVisible();
  await page.getByLabel('Cover image to upload').setInputFiles(file);
  await expect.poll(async () => (await readPost(request, tenant, id)).coverImageUrl).toMatch(/\/blog\/.*\.webp$/);
  await page.getByRole('button', { name: 'Publish' }).click();
  await status(page, /Published \d/);
  expect(await (await request.get(`/blog/${tenant.handle}/wet-brakes`)).text()).toMatch(/og:image" content="[^"]*-1200\.jpg"/);
});

test('a post is taken back, archived and deleted from its menu', async ({ page, tenant, request }) => {
  const { id } = await write(request, tenant, {}, true);
  const statusNow = async () => (await readPost(request, tenant, id)).status;
  await openPost(page, tenant, `/posts/${id}`);
  const act = async (name: string) => {
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await act('Archive');
  await expect.poll(statusNow).toBe('archived');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(statusNow).toBe('published');
  await act('Unpublish…');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Unpublish post' }).click();
  await expect.poll(statusNow).toBe('draft');
  await act('Delete');
  await expect(page).toHaveURL(/\/posts(\?.*)?$/);
  expect((await request.get(`/api/v1/blog/posts/${id}`, { headers: headersOf(tenant) })).status()).toBe(404);
});

test('a post that is deleted elsewhere leaves what is typed here', async ({ page, tenant, request }) => {
  const { id } = await write(request, tenant);
  await openPost(page, tenant, `/posts/${id}`);
  expect((await request.delete(`/api/v1/blog/posts/${id}`, { headers: headersOf(tenant) })).status()).toBe(200);
  await typeOn(page, ' Still here.');
  await page.getByRole('button', { name: 'Save as new draft' }).click();
  await expect(page).not.toHaveURL(new RegExp(id));
  await expect(page).toHaveURL(/\/posts\/[0-9a-f-]{36}$/);
  const copy = await readPost(request, tenant, page.url().split('/').at(-1) ?? '');
  expect(copy).toMatchObject({ content: 'Clean the *rims*. Still here.', status: 'draft' });
});

test('a program’s change shows where nothing is typed', async ({ page, tenant, request }) => {
  const { id } = await write(request, tenant);
  await openPost(page, tenant, `/posts/${id}`);
  await change(request, tenant, id, { content: 'By a program.' });
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(text(page)).toHaveText('By a program.');
});
