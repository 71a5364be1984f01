import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, signIn } from '../support/browser';
import { expect, type Tenant, test } from '../support/test';

async function track(request: APIRequestContext, { key }: Tenant, ...records: Record<string, unknown>[]): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await request.post('/api/v1/usage/track/batch', { headers, data: { records } });
  expect(await response.json()).toMatchObject({ success: true });
}

const meter = (page: Page, name: string) => page.getByRole('meter', { name });

test('before anything is tracked the page says how to track, and tracking shows', async ({
  page,
  createTenant,
  request,
  baseURL,
}) => {
  const tenant = await createTenant({ plan: 'free' });
  await signIn(page, tenant, '/usage');
  await expect(page.getByText('No usage in the last 30 days')).toBeVisible();
  await expect(page.getByText(`${baseURL}/api/v1/usage/track`)).toBeVisible();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy message' }).click();
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain(`set-plan --handle ${tenant.handle} --plan`);
  await expectAccessible(page);

  await track(request, tenant, { type: 'token_usage', totalTokens: 61_700, model: 'sonnet', operation: 'reply' });
  await page.reload();
  await expect(page.getByText('61,700 of 100,000 tokens, 62%')).toBeVisible();
  await expect(meter(page, 'AI tokens')).toHaveAttribute('aria-valuetext', /^61,700 of 100,000 tokens/);
  await expect(page.getByText('No usage this month')).toBeVisible();
  await expect(page.getByText('No usage in the last')).toHaveCount(0);
});

test('usage over the plan is said, day by day in chart and table, and by what used it', async ({
  page,
  createTenant,
  request,
}) => {
  const tenant = await createTenant({ plan: 'free' });
  await track(
    request,
    tenant,
    { type: 'token_usage', totalTokens: 150_000, model: 'sonnet', operation: 'reply' },
    { type: 'token_usage', totalTokens: 50_000, model: 'haiku' },
    { type: 'agent_execution', agentId: 'shop-bot', status: 'completed' },
  );
  await signIn(page, tenant, '/usage');
  await expect(page.getByText('200,000 of 100,000 tokens, 200%')).toBeVisible();
  await expect(page.getByText('Over plan', { exact: true })).toBeVisible();
  await expect(meter(page, 'Tasks')).toHaveAttribute('value', '1');

  await expect(page.getByRole('application', { name: 'AI tokens by day' })).toBeVisible();
  await page.getByText('Tasks', { exact: true }).and(page.locator('label')).click();
  await expect(page.getByRole('application', { name: 'Tasks by day' })).toBeVisible();
  await expect(page).toHaveURL(/show=executions/);
  await page.getByText('Show as table').click();
  const days = page.getByRole('table', { name: /AI tokens and tasks run by UTC day/ });
  await expect(days.getByRole('row')).toHaveCount(31);
  await expect(days.getByRole('row').nth(1)).toContainText(/200,000\s*1$/);

  const models = page.getByRole('table', { name: /^By model/ });
  await expect(models.getByRole('row', { name: /sonnet/ })).toContainText('75%');
  await expect(models.getByRole('row', { name: /haiku/ })).toContainText('25%');
  await expect(page.getByRole('table', { name: /^By agent/ }).getByRole('row', { name: /shop-bot/ })).toBeVisible();
  await expect(page.getByRole('table', { name: /^By action/ }).getByRole('row', { name: /Unknown/ })).toBeVisible();

  const keys = page.getByRole('table', { name: 'API requests today by key' });
  await expect(keys.getByRole('row', { name: /Test key/ })).toContainText(/\d+ of 100/);
  await expectAccessible(page);
});

test('a plan without limits says so, and its meters have no end', async ({ page, tenant, request }) => {
  await track(request, tenant, { type: 'token_usage', totalTokens: 1_234 });
  await signIn(page, tenant, '/usage');
  await expect(page.getByText('1,234 tokens, unlimited on this plan')).toBeVisible();
  await expect(page.getByRole('meter')).toHaveCount(0);
  await expect(page.getByText('Unlimited on the Enterprise plan, so requests aren’t counted.')).toBeVisible();
});

test.describe('far from UTC', () => {
  test.use({ timezoneId: 'Pacific/Honolulu', locale: 'en-GB' });

  test('days and month stay those of UTC', async ({ page, tenant, request }) => {
    await track(request, tenant, { type: 'token_usage', totalTokens: 5 });
    await signIn(page, tenant, '/usage');
    await page.getByText('Show as table').click();
    const times = page.getByRole('table', { name: /AI tokens and tasks run by UTC day/ }).locator('time');
    const shown = await times.evaluateAll((all) => all.map((time) => [time.getAttribute('datetime'), time.textContent]));
    for (const [day, text] of shown) expect(text).toContain(` ${Number(day?.slice(8))} `);
  });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('everything fits, and what the bar does not show is under More', async ({ page, tenant, request }) => {
    await track(request, tenant, { type: 'token_usage', totalTokens: 8_000_000_000_000, model: 'm'.repeat(200) });
    await signIn(page, tenant, '/usage');
    await expect(page.getByRole('table', { name: /^By model/ })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Business profile' }).click();
    await expect(page).toHaveURL(/\/identity$/);
    await expect(page.getByRole('button', { name: 'More, current page: Business profile' })).toBeVisible();
  });
});
