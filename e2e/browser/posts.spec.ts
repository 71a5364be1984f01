import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessible, signIn } from '../support/browser';
import { expect, type Tenant, test } from '../support/test';

/** The list of posts. The editor has tests of its own. */

const headersOf = ({ key }: Tenant) => ({ Authorization: `Bearer ${key}` });
const row = (page: Page, title: string) =>
  page.getByRole('row').filter({ has: page.getByRole('link', { name: title, exact: true }) });
const filter = (page: Page, name: string) => page.getByRole('radio', { name });

async function write(request: APIRequestContext, tenant: Tenant, fields: object, ...moves: string[]): Promise<string> {
  const data = { title: 'Wet brakes', content: 'Clean them.', authorName: 'Mara', ...fields };
  const headers = headersOf(tenant);
  const { post } = (await (await request.post('/api/v1/blog/posts', { headers, data })).json()).data;
  for (const move of moves) await request.post(`/api/v1/blog/posts/${post.id}/${move}`, { headers });
  return post.id;
}

async function statusOf(request: APIRequestContext, tenant: Tenant, id: string): Promise<string> {
  return (await (await request.get(`/api/v1/blog/posts/${id}`, { headers: headersOf(tenant) })).json()).data.post.status;
}

test('without posts it says what a blog is for', async ({ page, tenant }) => {
  await signIn(page, tenant, '/posts');
  await expect(page.getByRole('heading', { name: 'No posts yet' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Write your first post' }).click();
  await expect(page).toHaveURL('/posts/new');
});

test('posts are found by status, title and tag, and the address keeps what was asked for', async ({ page, tenant, request }) => {
  await write(request, tenant, { title: 'A draft', tags: ['brakes'] });
  await write(request, tenant, { title: 'Out there', tags: ['brakes', 'rain'] }, 'publish');
  await write(request, tenant, { title: 'Long gone' }, 'publish', 'archive');
  await signIn(page, tenant, '/posts');
  await expect(filter(page, 'All 3')).toBeVisible();

  await filter(page, 'Published 1').locator('..').click();
  await expect(page).toHaveURL(/status=published/);
  await expect(row(page, 'Out there')).toBeVisible();
  await expect(row(page, 'A draft')).toHaveCount(0);
  await filter(page, 'All 3').locator('..').click();

  await page.getByRole('searchbox', { name: 'Search posts' }).fill('DRAFT');
  await expect(row(page, 'Out there')).toHaveCount(0);
  await expect(row(page, 'A draft')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('searchbox', { name: 'Search posts' })).toHaveValue('DRAFT');
  await page.getByRole('searchbox', { name: 'Search posts' }).fill('nothing like it');
  await expect(page.getByRole('heading', { name: 'No posts found' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear search and filters' }).click();

  await page.getByRole('button', { name: 'Show posts tagged rain' }).click();
  await expect(row(page, 'A draft')).toHaveCount(0);
  await expect(row(page, 'Out there')).toBeVisible();
});

test('a post is published, archived with a way back, and deleted after a question', async ({ page, tenant, request }) => {
  const id = await write(request, tenant, { title: 'Wet brakes' });
  await signIn(page, tenant, '/posts');
  const act = async (name: string) => {
    await row(page, 'Wet brakes').getByRole('button', { name: 'Actions for Wet brakes' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await act('Publish');
  await expect(row(page, 'Wet brakes')).toContainText('Published');
  await expect.poll(() => statusOf(request, tenant, id)).toBe('published');
  expect((await request.get(`/blog/${tenant.handle}/wet-brakes`)).status()).toBe(200);

  await act('Archive');
  await expect.poll(() => statusOf(request, tenant, id)).toBe('archived');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(() => statusOf(request, tenant, id)).toBe('published');

  await act('Delete…');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
  await expect(row(page, 'Wet brakes')).toBeVisible();
  await act('Delete…');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete post' }).click();
  await expect(page.getByRole('heading', { name: 'No posts yet' })).toBeVisible();
  expect((await request.get(`/api/v1/blog/posts/${id}`, { headers: headersOf(tenant) })).status()).toBe(404);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row(page, 'Wet brakes')).toContainText('Published');
  expect((await request.get(`/blog/${tenant.handle}/wet-brakes`)).status()).toBe(200);
});

test('the language of the blog is set, and its feeds are named', async ({ page, tenant, request }) => {
  await write(request, tenant, {}, 'publish');
  await signIn(page, tenant, '/posts');
  await page.getByRole('button', { name: 'Blog settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Blog settings' });
  await expect(dialog).toContainText(`/blog/${tenant.handle}/feed.xml`);
  await dialog.getByLabel('Language').selectOption('Deutsch');
  await dialog.getByRole('button', { name: 'Save settings' }).click();
  await expect(dialog).toHaveCount(0);
  expect(await (await request.get(`/blog/${tenant.handle}`)).text()).toContain('<html lang="de"');
});
