import type { APIRequestContext, Page } from '@playwright/test';
import { within } from '../support/base-test';
import {
  collectBrowserErrors,
  collectForeignHosts,
  expectAccessibleInBothThemes,
  expectFitsPhone,
  signIn,
} from '../support/browser';
import { expect, type Tenant, test } from '../support/test';

/** Opens a page and waits until all of it is there; the API reference's own script is large. */
async function openPage(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  await expect(page.getByRole('main').first()).toBeVisible({ timeout: within(8) });
  await expect(page.getByText('Loading API reference')).toHaveCount(0, { timeout: within(8) });
}

/** No record has it. */
const missingId = '01890000-0000-7000-8000-000000000000';

const pages = [
  '/',
  '/inbox',
  '/inbox/new',
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
  '/settings/profile',
  '/settings',
  '/settings/team',
  '/settings/sign-in',
  '/settings/snippets',
  '/settings/labels',
  '/settings/blocked-senders',
  '/settings/mailboxes',
  '/settings/data',
  '/settings/notifications',
  '/settings/appearance',
  '/settings/api',
  '/settings/webhooks',
  '/settings/events',
  '/settings/mail',
  '/settings/danger',
  '/docs/follow-what-happens',
  '/docs#tag/calendar',
];

const missing = ['customers', 'agents', 'posts', 'inbox', 'settings/webhooks'].map((list) => `/${list}/${missingId}`);

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

const long = 'Verylongcompanynamewithoutanyspaces'.repeat(4);

/** A customer with values that are hard to fit. @returns the path of its page */
async function customerPage(request: APIRequestContext, { key }: Tenant): Promise<string> {
  const headers = { Authorization: `Bearer ${key}` };
  const data = {
    company: long,
    tags: ['a-rather-long-tag', 'vip'],
    metadata: { size: 3 },
    contacts: [{ email: `${'x'.repeat(60)}@quark.example` }],
  };
  const { id } = await (await request.post('/api/v1/identity/customers', { headers, data })).json();
  return `/customers/${id}`;
}

/** Opens each page and looks at it in light and dark, wide and on a phone. */
async function expectGoodPages(page: Page, open: () => Promise<string[]>, baseUrl = ''): Promise<void> {
  const errors = collectBrowserErrors(page);
  const foreign = collectForeignHosts(page, baseUrl);
  for (const path of await open()) {
    await openPage(page, path);
    expect(await page.title(), path).toMatch(/Frontdesk/);
    await expectAccessibleInBothThemes(page);
    await expectFitsPhone(page);
  }
  expect(errors).toEqual([]);
  expect(foreign).toEqual([]);
}

// Two tests, so that two workers share them.
test.describe('accessible in light and dark, without errors or foreign requests, and no wider than a phone', () => {
  test.setTimeout(within(80));

  test('pages without a session, and those of records', async ({ page, tenant, request, baseURL }) => {
    await expectGoodPages(
      page,
      async () => ['/sign-in', '/forgot-password', '/reset-password', '/confirm-email', '/invitation'],
      baseURL,
    );
    const persona = { avatarEmoji: '🙂', tone: long, traits: ['x'.repeat(60)], signature: long };
    await expectGoodPages(
      page,
      async () => {
        const records = [
          await customerPage(request, tenant),
          ...(await agentPages(request, tenant, { name: long, tags: ['x'.repeat(100)], persona })),
          ...(await postPages(request, tenant, long)),
        ];
        await signIn(page, tenant);
        return [...records, ...missing];
      },
      baseURL,
    );
  });

  test('all other pages', async ({ page, tenant, baseURL }) => {
    await expectGoodPages(
      page,
      async () => {
        await signIn(page, tenant);
        return pages;
      },
      baseURL,
    );
  });
});
