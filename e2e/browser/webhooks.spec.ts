import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessible, expectAccessibleInBothThemes, expectFitsPhone, signIn } from '../support/browser';
import { test as base, expect, type Tenant } from '../support/test';
import { isSignedWith, startReceiver } from '../support/webhook-receiver';

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const test = base.extend<{ receiver: Receiver }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
  receiver: async ({}, use) => {
    const receiver = await startReceiver();
    await use(receiver);
    await receiver.stop();
  },
});

async function createCustomer(request: APIRequestContext, { key }: Tenant, company: string): Promise<string> {
  const data = { company, contacts: [{ email: `${company.toLowerCase()}@quark.example` }] };
  const headers = { Authorization: `Bearer ${key}` };
  const { id } = await (await request.post('/api/v1/identity/customers', { headers, data })).json();
  return id;
}

/** Creates a webhook for customers in the dashboard, and leaves its page open. @returns its secret */
async function createWebhook(page: Page, tenant: Tenant, { url }: Receiver): Promise<string> {
  await signIn(page, tenant, '/settings/webhooks');
  await page.getByRole('button', { name: 'New webhook' }).click();
  const form = page.getByRole('dialog', { name: 'New webhook' });
  await form.getByRole('textbox', { name: /^URL/ }).fill(url);
  await form.getByRole('checkbox', { name: 'All customer events' }).check();
  await form.getByLabel('Description').fill('Shop');
  await form.getByRole('button', { name: 'Create webhook' }).click();
  const issued = page.getByRole('dialog', { name: 'Webhook created' });
  const secret = /whsec_[0-9A-Za-z+/=]+/.exec(await issued.innerText())?.[0] ?? '';
  expect(secret).not.toBe('');
  // A stray key does not close it.
  await page.keyboard.press('Escape');
  await issued.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('heading', { level: 2, name: 'Shop' })).toBeVisible();
  return secret;
}

const rows = (page: Page) => page.getByRole('table', { name: 'Deliveries' }).getByRole('row');

test('a webhook is created, its secret is shown once, and a test is delivered with its signature', async ({
  page,
  tenant,
  receiver,
}) => {
  const secret = await createWebhook(page, tenant, receiver);
  await page.reload();
  await expect(page.getByRole('heading', { level: 2, name: 'Shop' })).toBeVisible();
  expect(await page.content()).not.toContain(secret);

  await page.getByRole('button', { name: 'Send test' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send a test' });
  await dialog.getByRole('combobox', { name: 'Event' }).selectOption('customer.updated');
  await dialog.getByRole('button', { name: 'Send test' }).click();
  const delivery = page.getByRole('dialog', { name: 'Customer updated' });
  await expect(delivery.getByText('Delivered', { exact: true })).toBeVisible();
  await expect(delivery.getByRole('list', { name: 'Attempts' })).toContainText('HTTP 204');
  await expect(delivery.getByText('"type": "customer.updated"').first()).toBeVisible();
  await expectAccessible(page);
  expect(receiver.requests).toHaveLength(1);
  expect(receiver.requests.every((request) => isSignedWith(secret, request))).toBe(true);
  await page.keyboard.press('Escape');
  await expect(delivery).toHaveCount(0);
  await expect(rows(page).filter({ hasText: 'Customer updated' })).toContainText('Test');
});

test('a failing receiver shows its attempts, and a replay is delivered', async ({ page, tenant, request, receiver }) => {
  await createWebhook(page, tenant, receiver);
  receiver.answerWith(500, 'the database is away');
  await createCustomer(request, tenant, 'Quark');
  const row = rows(page).filter({ hasText: 'Customer created' });
  await expect(row).toContainText('Retrying');
  await row.getByRole('link').click();
  const delivery = page.getByRole('dialog', { name: 'Customer created' });
  const attempts = delivery.getByRole('list', { name: 'Attempts' });
  await expect(attempts).toContainText('HTTP 500');
  await expect(attempts).toContainText('the database is away');

  receiver.answerWith(204);
  await delivery.getByRole('button', { name: 'Replay' }).click();
  await expect(delivery.getByText('Delivered', { exact: true })).toBeVisible();
  const ids = new Set(receiver.requests.map(({ headers }) => headers['webhook-id']));
  expect(ids.size).toBe(1);
  // The open delivery is in the address.
  await page.reload();
  await expect(delivery.getByText('Delivered', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('radio', { name: 'Failed' }).check({ force: true });
  await expect(page).toHaveURL(/status=failed/);
  await expect(page.getByText('No such deliveries')).toBeVisible();
});

test('a paused webhook gets nothing until it is resumed, and what it missed can be recovered', async ({
  page,
  tenant,
  request,
  receiver,
}) => {
  await createWebhook(page, tenant, receiver);
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByText('Paused', { exact: true })).toBeVisible();
  await createCustomer(request, tenant, 'Quark');
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
  await createCustomer(request, tenant, 'Boson');
  await expect.poll(() => receiver.requests.length).toBe(1);
  expect(receiver.requests[0]?.body).toContain('Boson');

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Recover deliveries' }).click();
  const dialog = page.getByRole('dialog', { name: 'Recover deliveries' });
  await dialog.getByLabel('Deliveries').selectOption('missing');
  await dialog.getByRole('button', { name: 'Recover' }).click();
  await expect(page.getByText('1 delivery will be sent')).toBeVisible();
  await expect.poll(() => receiver.requests.length).toBe(2);
  expect(receiver.requests[1]?.body).toContain('Quark');
});

test('a rotated secret signs beside the old one, and a deleted webhook is gone', async ({ page, tenant, receiver }) => {
  const before = await createWebhook(page, tenant, receiver);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Rotate secret' }).click();
  const question = page.getByRole('alertdialog', { name: 'Rotate the signing secret?' });
  await expect(question).toContainText('24 hours');
  await question.getByRole('button', { name: 'Rotate secret' }).click();
  const issued = page.getByRole('dialog', { name: 'New secret' });
  const after = /whsec_[0-9A-Za-z+/=]+/.exec(await issued.innerText())?.[0] ?? '';
  expect(after).not.toBe(before);
  await issued.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByRole('dialog', { name: 'Send a test' }).getByRole('button', { name: 'Send test' }).click();
  await expect.poll(() => receiver.requests.length).toBe(1);
  for (const secret of [before, after]) {
    expect(receiver.requests.every((request) => isSignedWith(secret, request))).toBe(true);
  }
  const delivery = page.getByRole('dialog', { name: 'Customer created' });
  await expect(delivery.getByText('Delivered', { exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(delivery).toHaveCount(0);

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete webhook' }).click();
  await expect(page.getByText('No webhooks yet')).toBeVisible();
});

test('an address that can’t be used is refused at its field, and the page of a webhook is sound', async ({
  page,
  tenant,
  receiver,
}) => {
  await signIn(page, tenant, '/settings/webhooks?new=1');
  const form = page.getByRole('dialog', { name: 'New webhook' });
  await form.getByRole('textbox', { name: /^URL/ }).fill('ftp://shop.example');
  await form.getByRole('button', { name: 'Create webhook' }).click();
  await expect(form.getByText(/begin with https/)).toBeVisible();
  await form.getByRole('textbox', { name: /^URL/ }).fill('https://shop.example');
  await form.getByRole('button', { name: 'Create webhook' }).click();
  await expect(form.getByText('Choose at least one event.')).toBeVisible();
  await expectAccessible(page);
  await createWebhook(page, tenant, receiver);
  await expectAccessibleInBothThemes(page);
  await expectFitsPhone(page);
});

test('events appear as they happen, can be paused and filtered, and show what changed', async ({ page, tenant, request }) => {
  await signIn(page, tenant, '/settings/events');
  const events = page.getByRole('region', { name: 'Events' });
  await expect(events.getByText('Live')).toBeVisible();
  await expect(page.getByText('No events yet')).toBeVisible();
  // The first one may happen before the page follows; then it is in the log.
  const id = await createCustomer(request, tenant, 'Quark');
  const row = (name: RegExp) => events.getByRole('button', { name });
  await expect(row(/Customer created\s*Quark/)).toBeVisible();

  await events.getByRole('button', { name: 'Pause' }).click();
  const headers = { Authorization: `Bearer ${tenant.key}` };
  await request.patch(`/api/v1/identity/customers/${id}`, { headers, data: { company: 'Boson' } });
  await events.getByRole('button', { name: 'Resume (1 new)' }).click();
  await row(/Customer updated\s*Boson/).click();
  const changes = page.getByRole('table', { name: 'Before and after' });
  await expect(changes).toContainText('Quark');
  await expect(changes).toContainText('Boson');
  await expect(page.getByRole('link', { name: 'Open customer' })).toHaveAttribute('href', `/customers/${id}`);
  await expectAccessible(page);

  await events.getByRole('button', { name: 'Type' }).click();
  await page.getByRole('menuitemradio', { name: 'Customer created' }).click();
  await expect(page).toHaveURL(/type=customer\.created/);
  await expect(row(/Customer updated/)).toHaveCount(0);
  await expect(page.getByText('types=customer.created')).toBeVisible();
  await createCustomer(request, tenant, 'Gluon');
  await expect(row(/Customer created\s*Gluon/)).toBeVisible();
});

test('lists change by themselves, with one waiting request', async ({ page, tenant, request }) => {
  const waiting = new Set<string>();
  page.on('request', (sent) => {
    if (sent.url().includes('events.read')) waiting.add(sent.url());
  });
  await signIn(page, tenant, '/customers');
  await expect(page.getByRole('heading', { level: 1, name: 'Customers' })).toBeVisible();
  await expect.poll(() => waiting.size).toBe(1);
  await createCustomer(request, tenant, 'Quark');
  await expect(page.getByText('Quark', { exact: true }).first()).toBeVisible();
  for (const url of waiting) expect(url).not.toContain('events.read,');
});
