import type { APIRequestContext } from '@playwright/test';
import { expectAccessibleInBothThemes, signIn, untilHydrated } from '../support/browser';
import { expect, type Tenant, test } from '../support/test';

async function createCustomer(request: APIRequestContext, tenant: Tenant, data: object): Promise<{ id: string }> {
  const response = await request.post('/api/v1/identity/customers', { headers: { Authorization: `Bearer ${tenant.key}` }, data });
  expect(response.status()).toBe(201);
  return response.json();
}

test('the first customer is created from the empty list, changed and deleted, and each can be undone', async ({
  page,
  tenant,
  request,
}) => {
  await signIn(page, tenant, '/customers');
  await page.getByRole('link', { name: 'New customer' }).first().click();
  await page.getByRole('textbox', { name: 'Email' }).fill('ann@quark.example');
  await page.getByRole('textbox', { name: 'Company' }).fill('Quark Labs');
  await page.getByRole('button', { name: 'Create customer' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Quark Labs');

  await page.getByRole('textbox', { name: 'Phone' }).fill('+49 40 5550 1234');
  await page.getByRole('button', { name: 'Save' }).click();
  const list = () => request.get('/api/v1/identity/customers', { headers: { Authorization: `Bearer ${tenant.key}` } });
  const phone = async () => (await (await list()).json()).customers[0]?.phone;
  await expect.poll(phone).toBe('+49 40 5550 1234');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(phone).toBe('');
  await expect(page.getByRole('textbox', { name: 'Phone' })).toHaveValue('');

  const { pathname } = new URL(page.url());
  await page.getByRole('button', { name: 'Delete' }).click();
  await expect(page).toHaveURL('/customers');
  await expect.poll(async () => (await (await list()).json()).total).toBe(0);
  await expect(page.getByText('Customer deleted')).toBeVisible();
  await page.keyboard.press('z');
  await expect(page.getByRole('link', { name: 'Quark Labs' })).toBeVisible();
  await expect(page.getByText('Customer deleted')).toHaveCount(0);

  // Later, from its history.
  const id = pathname.split('/').at(-1);
  await request.delete(`/api/v1/identity/customers/${id}`, { headers: { Authorization: `Bearer ${tenant.key}` } });
  await page.goto(pathname);
  await page.getByRole('link', { name: 'History of this customer' }).click();
  const deleted = page.getByRole('listitem').filter({ hasText: 'Customer Quark Labs deleted' }).first();
  await deleted.getByRole('button', { expanded: false }).click();
  await deleted.getByRole('button', { name: 'Restore customer' }).click();
  await expect(page).toHaveURL(pathname);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Quark Labs');
});

test('search narrows the list, stands in the address and survives a reload', async ({ page, tenant, request }) => {
  await createCustomer(request, tenant, { company: 'Quark Labs', contacts: [{ email: 'ann@quark.example' }] });
  await createCustomer(request, tenant, { company: 'Gluon Works', contacts: [{ email: 'bob@gluon.example' }] });
  await signIn(page, tenant, '/customers');
  await expect(page.getByText('Gluon Works').first()).toBeVisible();
  await page.getByRole('searchbox').fill('quark');
  await expect(page.getByText('Gluon Works')).toHaveCount(0);
  await expect(page).toHaveURL(/quark/);
  await page.reload();
  await expect(page.getByText('Quark Labs').first()).toBeVisible();
  await expect(page.getByText('Gluon Works')).toHaveCount(0);
});

test('search has all words in any field, marks them, and shows where they were found', async ({ page, tenant, request }) => {
  const contacts = (name: string) => [{ email: `${name}@outside.example`, displayName: name }];
  await createCustomer(request, tenant, {
    company: 'Cargo Wheels',
    notes: 'Prefers calls after lunch.',
    contacts: contacts('ann'),
  });
  await createCustomer(request, tenant, { company: 'Gluon Works', phone: '+49 40 5550 1234', contacts: contacts('bob') });
  await signIn(page, tenant, '/customers?q=lunch+cargo');
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
  await expect(rows).toHaveCount(1);
  await expect(rows.locator('mark')).toHaveText(['Cargo', 'lunch']);
  await expect(rows).toContainText('Notes: …calls after lunch.');
  await expect(page.getByRole('status').filter({ hasText: 'customer' })).toHaveText('1 customer');
  await untilHydrated(page);
  await page.getByRole('searchbox').fill('(040) 5550');
  await expect(rows).toContainText('Phone: +49 40 5550 1234');
  await page.getByRole('searchbox').fill('gloun');
  await expect(rows.locator('mark')).toHaveText(['Gluon']);
  await expectAccessibleInBothThemes(page);
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('combobox', { name: 'Search for pages, actions and records' }).fill('lunch wheels');
  const option = page.getByRole('option', { selected: true });
  await expect(option.locator('mark')).toHaveText(['Wheels', 'lunch']);
  await expectAccessibleInBothThemes(page);
});

test('a contact of another customer is refused with a way to that customer; the typed address stays', async ({
  page,
  tenant,
  request,
}) => {
  const other = await createCustomer(request, tenant, { company: 'Gluon Works', contacts: [{ email: 'bob@gluon.example' }] });
  const { id } = await createCustomer(request, tenant, { company: 'Quark Labs', contacts: [{ email: 'ann@quark.example' }] });
  await signIn(page, tenant, `/customers/${id}`);
  const address = page.getByRole('textbox', { name: 'Email' });
  await address.fill('bob@gluon.example');
  await page.getByRole('button', { name: 'Add contact' }).click();
  await expect(page.locator(`a[href="/customers/${other.id}"]`)).toBeVisible();
  await expect(address).toHaveValue('bob@gluon.example');
});

test('what another identity owns is not found', async ({ page, tenant, createTenant, request }) => {
  const foreign = await createTenant();
  const { id } = await createCustomer(request, foreign, { company: 'Secret Inc', contacts: [{ email: 'eve@secret.example' }] });
  await signIn(page, tenant, '/customers');
  await page.goto(`/customers/${id}`);
  await expect(page.getByText('Secret Inc')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(/not found|no such|does not exist/i);
});

test('names that are code are shown as text', async ({ page, tenant, request }) => {
  const company = '<img src=x onerror="document.title=1">';
  const { id } = await createCustomer(request, tenant, { company, contacts: [{ email: 'ann@quark.example' }] });
  await signIn(page, tenant, `/customers/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(company);
});

test('a double-click creates one customer, also while its form is still being checked', async ({ page, tenant, request }) => {
  await signIn(page, tenant, '/customers/new');
  const created: string[] = [];
  page.on('request', (sent) => {
    if (sent.url().includes('/api/trpc/customers.create')) created.push(sent.url());
  });
  await page.getByRole('textbox', { name: 'Email' }).fill('ann@quark.example');
  await page.getByRole('button', { name: 'Create customer' }).dblclick();
  await expect(page).toHaveURL(/\/customers\/[0-9a-f-]{36}$/);
  expect(created).toHaveLength(1);
  const list = await request.get('/api/v1/identity/customers', { headers: { Authorization: `Bearer ${tenant.key}` } });
  expect((await list.json()).total).toBe(1);
});

test('one more contact is not complained about before anything is typed', async ({ page, tenant }) => {
  await signIn(page, tenant, '/customers/new');
  await page.getByRole('textbox', { name: 'Email' }).fill('ann@quark.example');
  await page.getByRole('button', { name: 'Add another contact' }).click();
  const second = page.getByRole('textbox', { name: 'Email' }).nth(1);
  await expect(second).toBeFocused();
  await second.fill('b');
  await second.fill('');
  await expect(page.locator('[aria-invalid]')).toHaveCount(0);
});

test('a tag in use is suggested, and taken with the arrow and Enter', async ({ page, tenant, request }) => {
  await createCustomer(request, tenant, {
    company: 'Gluon Works',
    tags: ['wholesale', 'vip'],
    contacts: [{ email: 'bob@gluon.example' }],
  });
  const { id } = await createCustomer(request, tenant, { company: 'Quark Labs', contacts: [{ email: 'ann@quark.example' }] });
  await signIn(page, tenant, `/customers/${id}`);
  const tags = page.getByRole('combobox', { name: 'Tags' });
  await tags.pressSequentially('whole');
  await expect(page.getByRole('option', { name: 'wholesale' })).toBeVisible();
  await tags.press('ArrowDown');
  await tags.press('Enter');
  await expect(page.getByRole('button', { name: 'Remove tag wholesale' })).toBeVisible();
  await expect(tags).toHaveValue('');
  await expect(page.getByRole('option')).toHaveCount(0);
});
