import type { APIRequestContext, Page } from '@playwright/test';
import {
  collectBrowserErrors,
  expectAccessible,
  expectAccessibleInBothThemes,
  expectNoSidewaysScroll,
  signIn,
  untilHydrated,
} from '../support/browser';
import { expect, type Tenant, test } from '../support/test';

const palette = (page: Page) => page.getByRole('combobox', { name: 'Search for pages, actions and records' });
const active = (page: Page) => page.getByRole('option', { selected: true });

async function addCustomer(request: APIRequestContext, { key }: Tenant, company: string): Promise<string> {
  const headers = { Authorization: `Bearer ${key}` };
  const data = { company, contacts: [{ email: `c${Date.now()}@outside.example`, displayName: 'Bodo Bill' }] };
  return (await (await request.post('/api/v1/identity/customers', { headers, data })).json()).id;
}

/** Signs in on the list of customers, which has times and so shows when it listens. */
async function openCustomers(page: Page, tenant: Tenant): Promise<void> {
  await signIn(page, tenant, '/customers');
  await untilHydrated(page);
}

test('finds a record by what one remembers of it, and offers it again', async ({ page, tenant, request }) => {
  const id = await addCustomer(request, tenant, 'Velvet Harbour');
  await openCustomers(page, tenant);
  await page.getByRole('button', { name: 'Search and commands' }).click();
  await palette(page).fill('bodo');
  await expect(active(page)).toContainText('Velvet Harbour');
  await expect(page.getByRole('dialog').getByRole('status')).toHaveText('1 result');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/customers/${id}`);
  await expect(page).toHaveTitle(/Velvet Harbour/);

  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await page.waitForURL('**/inbox');
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveText(['Velvet Harbour']);
});

test('whoever presses Enter at once gets what is found a moment later', async ({ page, tenant, request }) => {
  const id = await addCustomer(request, tenant, 'Velvet Harbour');
  await openCustomers(page, tenant);
  await page.keyboard.press('ControlOrMeta+k');
  await expect(palette(page)).toBeFocused();
  await page.keyboard.type('velvet');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/customers/${id}`);
});

test('opens while somebody types, walks with the keyboard, and gives the focus back', async ({ page, tenant, request }) => {
  await addCustomer(request, tenant, 'Velvet Harbour');
  await openCustomers(page, tenant);
  const search = page.getByRole('searchbox');
  await search.focus();
  await page.keyboard.press('ControlOrMeta+k');
  await expect(active(page)).toContainText('Home');
  await page.keyboard.press('ArrowDown');
  await expect(active(page)).toContainText('Inbox');
  await page.keyboard.press('End');
  await expect(active(page)).toContainText('Sign out');
  await page.keyboard.press('Home');
  await expect(active(page)).toContainText('Home');
  await expect(palette(page)).toHaveAttribute('aria-activedescendant', (await active(page).getAttribute('id')) ?? '');
  await page.keyboard.press('Escape');
  await expect(search).toBeFocused();
});

test('does things, and opens pages in a new tab', async ({ page, context, tenant, request }) => {
  await addCustomer(request, tenant, 'Velvet Harbour');
  await openCustomers(page, tenant);
  await page.keyboard.press('ControlOrMeta+k');
  await palette(page).fill('usage');
  const opened = context.waitForEvent('page');
  await page.keyboard.press('ControlOrMeta+Enter');
  await (await opened).waitForURL('**/usage');
  await palette(page).fill('theme dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveClass(/dark/);
  await page.keyboard.press('ControlOrMeta+k');
  await palette(page).fill('create api');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeVisible();
  await expect(page).toHaveURL(/\/api-keys$/);
});

test('lists the keys of the page at hand, and runs them only outside of fields', async ({ page, tenant, request }) => {
  await addCustomer(request, tenant, 'Velvet Harbour');
  await openCustomers(page, tenant);
  await page.keyboard.press('/');
  await page.keyboard.type('g?n');
  await expect(page.getByRole('searchbox')).toHaveValue('g?n');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await untilHydrated(page);
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(dialog.getByRole('region', { name: 'This page' })).toContainText(/Search customers.*New customer/s);
  await expect(dialog.getByRole('region', { name: 'Go to' })).toContainText('Calendar');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await page.keyboard.press('n');
  await page.waitForURL('**/customers/new');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('is accessible with results and without, and fits', async ({ page, tenant, request }) => {
    await addCustomer(request, tenant, 'Velvet Harbour');
    const complaints = collectBrowserErrors(page);
    await openCustomers(page, tenant);
    await page.getByRole('button', { name: 'Search and commands' }).click();
    await expect(page.getByRole('option').first()).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await palette(page).fill('velvet');
    await expect(active(page)).toContainText('Velvet Harbour');
    await expectAccessibleInBothThemes(page);
    await palette(page).fill('50%_off');
    await expect(page.getByText('No results for “50%_off”')).toBeVisible();
    await expectAccessibleInBothThemes(page);
    await expectNoSidewaysScroll(page);
    await page.getByRole('option', { name: 'Search customers for “50%_off”' }).click();
    await expect(page).toHaveURL(/\/customers\?q=50%25_off$/);
    expect(complaints).toEqual([]);
  });
});
