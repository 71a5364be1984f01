import type { APIRequestContext, Page } from '@playwright/test';
import { collectBrowserErrors, collectForeignHosts, expectAccessible, expectNoSidewaysScroll, signIn } from '../support/browser';
import { expect, type Tenant, test } from '../support/test';

/** Opens a page and waits until all of it is there; the API reference's own script is large. */
async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.getByRole('main').first()).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('Loading the reference')).toHaveCount(0, { timeout: 60_000 });
}

/** Of nothing that was ever there. */
const missingId = '01890000-0000-7000-8000-000000000000';

const pages = [
  '/',
  '/inbox',
  '/calendar',
  '/customers',
  '/customers/new',
  '/agents',
  '/posts',
  '/posts/new',
  '/usage',
  '/outbox',
  '/quarantine',
  '/identity',
  '/api-keys',
  '/audit',
  '/audit/security',
  '/settings',
  '/settings/security',
  '/settings/sessions',
  '/settings/appearance',
  '/settings/api',
  '/settings/mail',
  '/settings/danger',
  '/docs#tag/calendar',
  ...['customers', 'agents', 'posts', 'inbox'].map((list) => `/${list}/${missingId}`),
];

/** A published post with a bit of everything, and the pages about it. */
async function postPages(request: APIRequestContext, { key }: Tenant, title: string): Promise<string[]> {
  const headers = { Authorization: `Bearer ${key}` };
  const content = '## Rims\n\nClean the *rims*.\n\n```ts\nconst a = 1;\n```\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\n- [x] done';
  const data = { title, content, authorName: 'Mara', tags: ['brakes'] };
  const { post } = (await (await request.post('/api/v1/blog/posts', { headers, data })).json()).data;
  expect((await request.post(`/api/v1/blog/posts/${post.id}/publish`, { headers })).status()).toBe(200);
  return ['/posts', `/posts/${post.id}`];
}

/** The sides of the agent that the business has from the start; `changes` are made to it first. */
async function agentPages(request: APIRequestContext, { key }: Tenant, changes: object): Promise<string[]> {
  const headers = { Authorization: `Bearer ${key}` };
  const { agents } = await (await request.get('/api/v1/identity/agents', { headers })).json();
  const { id } = agents[0];
  expect((await request.patch(`/api/v1/identity/agents/${id}`, { headers, data: changes })).status()).toBe(200);
  const data = { type: 'agent_execution', agentId: id, status: 'completed', operation: 'reply', taskId: 'x'.repeat(200) };
  await request.post('/api/v1/usage/track', { headers, data });
  return ['', '?tab=routes', '?tab=activity', '?tab=configuration'].map((tab) => `/agents/${id}${tab}`);
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme });

    test('every page is accessible, quiet, titled, and asks nobody else for anything', async ({
      page,
      tenant,
      request,
      baseURL,
    }) => {
      test.setTimeout(300_000);
      const headers = { Authorization: `Bearer ${tenant.key}` };
      const data = { company: 'Quark Labs', tags: ['vip'], metadata: { size: 3 }, contacts: [{ email: 'ann@quark.example' }] };
      const { id } = await (await request.post('/api/v1/identity/customers', { headers, data })).json();
      const agent = await agentPages(request, tenant, { tags: ['first line'], persona: { avatarEmoji: '🙂' } });
      const posts = await postPages(request, tenant, 'Wet brakes');
      const complaints = collectBrowserErrors(page);
      const foreign = collectForeignHosts(page, baseURL ?? '');
      for (const path of ['/sign-in', '/forgot-password', '/reset-password', '/confirm-email']) {
        await openPage(page, path);
        await expectAccessible(page);
      }
      await signIn(page, tenant);
      for (const path of [...pages, `/customers/${id}`, ...agent, ...posts]) {
        await openPage(page, path);
        expect(await page.title(), path).toMatch(/Frontdesk/);
        await expectAccessible(page);
      }
      expect(complaints).toEqual([]);
      expect(foreign).toEqual([]);
    });
  });
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('no page scrolls sideways', async ({ page, tenant, request }) => {
    test.setTimeout(300_000);
    const headers = { Authorization: `Bearer ${tenant.key}` };
    const long = 'Verylongcompanynamewithoutanyspaces'.repeat(4);
    const data = {
      company: long,
      tags: ['a-rather-long-tag', 'another-long-tag'],
      contacts: [{ email: `${'x'.repeat(60)}@quark.example` }],
    };
    const { id } = await (await request.post('/api/v1/identity/customers', { headers, data })).json();
    const persona = { tone: long, traits: ['x'.repeat(60)], signature: long };
    const agent = await agentPages(request, tenant, { name: long, tags: ['x'.repeat(100)], persona });
    const posts = await postPages(request, tenant, long);
    await signIn(page, tenant);
    for (const path of [...pages, `/customers/${id}`, ...agent, ...posts]) {
      await openPage(page, path);
      await expectNoSidewaysScroll(page);
    }
  });
});
