import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import {
  collectBrowserErrors,
  expectAccessibleInBothThemes,
  expectNoSidewaysScroll,
  signIn,
  untilHydrated,
} from '../support/browser';
import { expect, type Tenant, test } from '../support/test';

const run = promisify(execFile);

const drawer = (page: Page) => page.getByRole('dialog', { name: 'API calls for this page' });
const code = (page: Page) => drawer(page).locator('pre');

async function openDrawer(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'API calls for this page' }).click();
  await expect(code(page)).toBeVisible();
}

/** Runs the command that is shown, as a reader would who has put a key into the variable. */
async function runShown(page: Page, { key }: Tenant): Promise<unknown> {
  const { stdout } = await run('sh', ['-c', await code(page).innerText()], { env: { ...process.env, FRONTDESK_API_KEY: key } });
  return JSON.parse(stdout);
}

test('shows calls about this very record that work as they stand', async ({ page, tenant, request }) => {
  const headers = { Authorization: `Bearer ${tenant.key}` };
  const data = { company: "O'Hara & Sons", tags: ['vip'], contacts: [{ email: 'ann@quark.example' }] };
  const { id } = await (await request.post('/api/v1/identity/customers', { headers, data })).json();
  await signIn(page, tenant, `/customers/${id}`);
  await openDrawer(page);
  expect(await runShown(page, tenant)).toMatchObject({ id, company: "O'Hara & Sons" });
  await drawer(page)
    .getByRole('button', { name: /Update a customer/ })
    .click();
  expect(await runShown(page, tenant)).toMatchObject({ id, company: 'Quark Labs' });
  await drawer(page).getByRole('tab', { name: 'TypeScript' }).click();
  await expect(code(page)).toContainText(`frontdesk.customers.update({`);
  await expect(code(page)).toContainText(id);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'API calls for this page' })).toBeFocused();
});

test('shows the list with its filters, and creates what its example says', async ({ page, tenant, request }) => {
  const headers = { Authorization: `Bearer ${tenant.key}` };
  for (const company of ["O'Hara & Sons", 'Quark Labs']) {
    const data = { company, contacts: [{ email: `${company.length}@outside.example` }] };
    await request.post('/api/v1/identity/customers', { headers, data });
  }
  await signIn(page, tenant, '/customers');
  await page.goto(`/customers?q=${encodeURIComponent("o'hara &")}`);
  await untilHydrated(page);
  await openDrawer(page);
  expect(await runShown(page, tenant)).toMatchObject({ total: 1, customers: [{ company: "O'Hara & Sons" }] });
  await drawer(page)
    .getByRole('button', { name: /Create a customer/ })
    .click();
  expect(await runShown(page, tenant)).toMatchObject({ company: 'Quark Labs', contacts: [{ email: 'ann@quark.example' }] });
});

test('is not offered where no key can do anything', async ({ page, tenant }) => {
  await signIn(page, tenant, '/settings');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: 'API calls for this page' })).toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('is accessible and fits in both languages', async ({ page, tenant }) => {
    const complaints = collectBrowserErrors(page);
    await signIn(page, tenant, '/agents');
    await openDrawer(page);
    await expectAccessibleInBothThemes(page);
    await drawer(page).getByRole('tab', { name: 'TypeScript' }).click();
    await expectAccessibleInBothThemes(page);
    await expectNoSidewaysScroll(page);
    expect(complaints).toEqual([]);
  });
});
