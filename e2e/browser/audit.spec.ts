import type { APIRequestContext, Locator, Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, signIn } from '../support/browser';
import { expect, type Tenant, test } from '../support/test';

const requestId = 'audit-spec-request-1';

/** A customer that a program made and then changed, in a request of a known id. */
async function changeCustomer(request: APIRequestContext, { key }: Tenant): Promise<string> {
  const headers = { Authorization: `Bearer ${key}` };
  const data = { company: 'Quark', contacts: [{ email: 'ann@quark.example' }] };
  const { id } = await (await request.post('/api/v1/identity/customers', { headers, data })).json();
  const change = await request.patch(`/api/v1/identity/customers/${id}`, {
    headers: { ...headers, 'X-Request-Id': requestId },
    data: { company: 'Quark Labs', tags: ['vip', 'eu'], notes: 'x'.repeat(3_000) },
  });
  expect(change.status()).toBe(200);
  return id;
}

const entry = (page: Page, words: string | RegExp): Locator => page.getByRole('listitem').filter({ hasText: words });

/** What opens a change, or several in one row. */
const openerOf = (page: Page, words: string | RegExp): Locator => page.getByRole('button').filter({ hasText: words });

async function choose(page: Page, filter: string, choice: string): Promise<void> {
  await page.getByRole('button', { name: filter, exact: true }).click();
  await page.getByRole('menuitemradio', { name: choice, exact: true }).click();
}

test('a change says who made it, and opens what was there before and after', async ({ page, tenant, request }) => {
  const id = await changeCustomer(request, tenant);
  await signIn(page, tenant, '/audit');
  const changed = entry(page, 'Customer Quark Labs: company, notes and tags changed');
  await expect(entry(page, /Signed in from Chrome/).first()).toContainText(tenant.owner.email);
  const opener = changed.getByRole('button', { expanded: false });
  await opener.focus();
  await page.keyboard.press('Enter');

  const table = changed.getByRole('table', { name: 'Before and after' });
  const company = table.getByRole('row', { name: /company/i });
  await expect(company.getByRole('cell').first()).toContainText('Quark');
  await expect(company.getByRole('cell').last()).toContainText('Quark Labs');
  await expect(table.getByRole('row', { name: /tags/i }).getByRole('listitem')).toHaveText(['vip', 'eu']);
  await expect(table.getByRole('row', { name: /notes/i })).toContainText('Only the first 1,000 characters are kept.');
  await table.getByRole('button', { name: 'Show all' }).click();
  await expect(table).toContainText('x'.repeat(1_000));
  await expect(changed.getByRole('button', { name: 'Copy request ID' })).toBeVisible();
  await expect(changed.getByRole('link', { name: 'Open customer' })).toHaveAttribute('href', `/customers/${id}`);
  await expectAccessible(page);

  await changed.getByRole('link', { name: requestId }).click();
  await expect(page).toHaveURL(`/audit?request=${requestId}`);
  await expect(page.getByRole('listitem').filter({ has: page.locator('time') })).toHaveCount(1);
  await expect(page.getByText(`Changes of request ${requestId}`)).toBeVisible();
  await page.getByRole('button', { name: 'Show all changes' }).click();
  await expect(page).toHaveURL('/audit');
  await expect(entry(page, /Signed in from Chrome/).first()).toBeVisible();
});

test('changes are found by words of a name, and by a request ID', async ({ page, tenant, request }) => {
  await changeCustomer(request, tenant);
  await signIn(page, tenant, '/audit');
  await expect(page.getByText('Kept for 365 days.')).toBeVisible();
  const search = page.getByRole('searchbox', { name: 'Search changes' });
  await search.fill('labs qua');
  await expect(page).toHaveURL('/audit?q=labs+qua');
  await expect(entry(page, 'Signed in from')).toHaveCount(0);
  await expect(page.getByRole('listitem').filter({ has: page.locator('time') })).toHaveText([/Customer Quark Labs: company/]);
  await page.reload();
  await expect(search).toHaveValue('labs qua');
  await expect(entry(page, 'Customer Quark Labs')).toBeVisible();

  await search.fill(requestId);
  await expect(page).toHaveURL(`/audit?q=${requestId}`);
  await expect(entry(page, 'Customer Quark Labs')).toBeVisible();
  await search.fill('nobody of that name');
  await expect(page.getByText('No changes found')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/audit');
  await expect(entry(page, 'Signed in from').first()).toBeVisible();
});

/** Creates customers and then changes each of them in the same way, the last one first. */
async function tagCustomers(request: APIRequestContext, { key }: Tenant, count: number): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` };
  const ids: string[] = [];
  for (let index = 1; index <= count; index++) {
    const data = { company: `Company ${index}`, contacts: [{ email: `c${index}@quark.example` }] };
    ids.unshift((await (await request.post('/api/v1/identity/customers', { headers, data })).json()).id);
  }
  for (const id of ids) {
    const change = await request.patch(`/api/v1/identity/customers/${id}`, { headers, data: { tags: ['vip'] } });
    expect(change.status()).toBe(200);
  }
}

test('equal changes in a row share one, which opens to each of them', async ({ page, tenant, request }) => {
  await tagCustomers(request, tenant, 4);
  await signIn(page, tenant, '/audit');
  const opener = openerOf(page, '4 customers: tags changed · Company 1, Company 2, Company 3…');
  await expect(opener).toHaveAttribute('aria-expanded', 'false');
  await expect(entry(page, 'Customer Company 4: tags changed')).toHaveCount(0);
  await opener.focus();
  await page.keyboard.press('Enter');
  await expect(opener).toHaveAttribute('aria-expanded', 'true');
  const one = openerOf(page, 'Customer Company 4: tags changed');
  await one.click();
  await expect(page.getByRole('table', { name: 'Before and after' }).getByRole('row', { name: /tags/i })).toContainText('vip');
  await expectAccessible(page);
  // With its details closed the change stays where it is.
  await one.click();
  await expect(page.getByRole('table', { name: 'Before and after' })).toHaveCount(0);
  await expect(one).toBeVisible();
  await opener.click();
  await expect(one).toHaveCount(0);
});

test('a shared row grows with older changes, and stays open', async ({ page, tenant, request }) => {
  await tagCustomers(request, tenant, 52);
  await signIn(page, tenant, '/audit');
  const opener = openerOf(page, /\d+ customers: tags changed/);
  await expect(opener).not.toContainText('52 customers');
  await opener.click();
  await page.getByRole('button', { name: 'Load older' }).click();
  await expect(opener).toContainText('52 customers');
  await expect(opener).toHaveAttribute('aria-expanded', 'true');
  await expect(openerOf(page, 'Customer Company 52: tags changed')).toBeVisible();
});

test('a change is taken back as a new change, except for what was changed again since', async ({ page, tenant, request }) => {
  const id = await changeCustomer(request, tenant);
  const headers = { Authorization: `Bearer ${tenant.key}` };
  const url = `/api/v1/identity/customers/${id}`;
  await request.patch(url, { headers, data: { notes: 'Newer' } });
  await signIn(page, tenant, '/audit');
  const changed = entry(page, 'Customer Quark Labs: company, notes and tags changed');
  await changed.getByRole('button', { expanded: false }).click();
  await changed.getByRole('button', { name: 'Restore previous values…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Restore previous values' });
  await expect(dialog.getByRole('checkbox', { name: /company/i })).toBeChecked();
  await expect(dialog.getByRole('checkbox', { name: /notes.*changed again since/i })).not.toBeChecked();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Restore 2 values' }).click();
  await expect(entry(page, 'Customer Quark: company and tags changed')).toBeVisible();
  const restored = await (await request.get(url, { headers })).json();
  expect(restored).toMatchObject({ company: 'Quark', tags: [], notes: 'Newer' });

  // Changed while the dialog is open: nothing is written until the values were seen.
  await changed.getByRole('button', { name: 'Restore previous values…' }).click();
  await expect(dialog.getByRole('checkbox', { name: /notes/i })).toBeVisible();
  await request.patch(url, { headers, data: { notes: 'Newest' } });
  await dialog.getByRole('checkbox', { name: /notes/i }).check();
  await dialog.getByRole('button', { name: 'Restore 1 value' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Changed elsewhere in the meantime.');
  await expect(dialog).toContainText('Newest');
  expect((await (await request.get(url, { headers })).json()).notes).toBe('Newest');
});

test('what was created shows all that it held, its contacts too', async ({ page, tenant, request }) => {
  const data = { contacts: [{ email: 'ann@quark.example', displayName: 'Ann Quark' }] };
  await request.post('/api/v1/identity/customers', { headers: { Authorization: `Bearer ${tenant.key}` }, data });
  await signIn(page, tenant, '/audit');
  const created = entry(page, 'Customer Ann Quark created');
  await created.getByRole('button', { expanded: false }).click();
  const contact = created.getByRole('region', { name: /^Contact ann@quark\.example/ });
  await expect(contact.getByRole('row', { name: /display name/i })).toContainText('Ann Quark');
  await expect(created.getByText('No details')).toHaveCount(0);
  await expectAccessible(page);
});

test('filters stand in the address, and what matches nothing says so', async ({ page, tenant, request }) => {
  await changeCustomer(request, tenant);
  await signIn(page, tenant, '/audit');
  await choose(page, 'Type', 'Customers');
  await expect(page).toHaveURL('/audit?resource=customer');
  await expect(entry(page, 'Signed in from')).toHaveCount(0);
  await choose(page, 'Action', 'Created');
  await expect(entry(page, 'Customer Quark created')).toBeVisible();
  await expect(entry(page, 'Quark Labs')).toHaveCount(0);

  await choose(page, 'User', 'People');
  await expect(page.getByText('No changes found')).toBeVisible();
  await page.goBack();
  await expect(entry(page, 'Customer Quark created')).toBeVisible();

  await page.getByRole('button', { name: 'Dates' }).click();
  await page.getByLabel('To (inclusive)').fill('2020-01-01');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect(page).toHaveURL(/to=2020-01-01/);
  await expect(page.getByText('No changes found')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show all changes' }).click();
  await expect(page).toHaveURL('/audit');
  await expect(entry(page, 'Customer Quark created')).toBeVisible();
});

test('one key’s changes are found by its name', async ({ page, tenant, request }) => {
  await changeCustomer(request, tenant);
  await signIn(page, tenant, '/audit');
  await page.getByRole('button', { name: 'User', exact: true }).click();
  await page
    .getByRole('menuitemradio', { name: /^API key / })
    .first()
    .click();
  await expect(page).toHaveURL(/key=[0-9a-f-]{36}/);
  await expect(entry(page, 'Customer Quark created')).toBeVisible();
  await expect(entry(page, 'Signed in from')).toHaveCount(0);
});

test('a record leads to its history, of its parts too, and one that is gone is not linked', async ({ page, tenant, request }) => {
  const id = await changeCustomer(request, tenant);
  await signIn(page, tenant, `/customers/${id}`);
  await page.getByRole('link', { name: 'History of this customer' }).click();
  await expect(page).toHaveURL(`/audit?id=${id}`);
  await expect(page.getByText('History of Customer Quark Labs')).toBeVisible();
  await expect(entry(page, 'Contact ann@quark.example added')).toBeVisible();

  const gone = await request.delete(`/api/v1/identity/customers/${id}`, { headers: { Authorization: `Bearer ${tenant.key}` } });
  expect(gone.ok()).toBe(true);
  await page.reload();
  const created = entry(page, 'Customer Quark created');
  await created.getByRole('button', { expanded: false }).click();
  await expect(created.getByRole('link', { name: 'View history' })).toBeVisible();
  await expect(created.getByRole('link', { name: 'Open customer' })).toHaveCount(0);
});

test('older changes are loaded on demand', async ({ page, tenant, request }) => {
  const headers = { Authorization: `Bearer ${tenant.key}` };
  for (let index = 0; index < 30; index++) {
    const data = { company: `Company ${index}`, contacts: [{ email: `c${index}@quark.example` }] };
    expect((await request.post('/api/v1/identity/customers', { headers, data })).status()).toBe(201);
  }
  await signIn(page, tenant, '/audit');
  await expect(entry(page, 'Customer Company 29 created')).toBeVisible();
  await expect(entry(page, 'Customer Company 0 created')).toHaveCount(0);
  await page.getByRole('button', { name: 'Load older' }).click();
  await expect(entry(page, 'Customer Company 0 created')).toBeVisible();
});

test('nobody sees what was changed in another business', async ({ page, tenant, createTenant, request }) => {
  const other = await createTenant();
  const id = await changeCustomer(request, other);
  await signIn(page, tenant, `/audit?id=${id}`);
  await expect(page.getByText('No changes found')).toBeVisible();
  await page.goto('/audit');
  await expect(entry(page, 'Signed in from').first()).toBeVisible();
  await expect(page.getByText('Quark')).toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('a change stands in two lines, and opens without scrolling sideways', async ({ page, tenant, request }) => {
    await changeCustomer(request, tenant);
    await signIn(page, tenant, '/audit');
    const changed = entry(page, 'Customer Quark Labs: company, notes and tags changed');
    await changed.getByRole('button', { expanded: false }).click();
    await expect(changed.getByRole('table', { name: 'Before and after' })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });

  test('a shared row stands in two lines, and opens without scrolling sideways', async ({ page, tenant, request }) => {
    await tagCustomers(request, tenant, 3);
    await signIn(page, tenant, '/audit');
    await openerOf(page, '3 customers: tags changed').click();
    await openerOf(page, 'Customer Company 3: tags changed').click();
    await expect(page.getByRole('table', { name: 'Before and after' })).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });
});
