import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessible, signIn } from '../support/browser';
import { expect, type Tenant, test } from '../support/test';

async function createCustomer(request: APIRequestContext, { key }: Tenant): Promise<string> {
  const data = { company: 'Quark', phone: '1', contacts: [{ email: 'ann@quark.example' }] };
  const headers = { Authorization: `Bearer ${key}` };
  const { id } = await (await request.post('/api/v1/identity/customers', { headers, data })).json();
  return id;
}

const field = (page: Page, label: string) => page.getByRole('form', { name: 'Customer' }).getByLabel(label);
const save = (page: Page) => page.getByRole('button', { name: 'Save changes' }).click();
const notice = (page: Page) => page.getByRole('alert').filter({ hasText: 'Changed elsewhere while you were editing' });

async function expectSaved(page: Page): Promise<void> {
  await expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible();
}

/** Two tabs of the same customer, each with what it was when they were opened. */
async function twoTabs(page: Page, tenant: Tenant, request: APIRequestContext) {
  const id = await createCustomer(request, tenant);
  await signIn(page, tenant, `/customers/${id}`);
  const other = await page.context().newPage();
  await other.goto(`/customers/${id}`);
  await expect(field(other, 'Company')).toHaveValue('Quark');
  const stored = async () => {
    const headers = { Authorization: `Bearer ${tenant.key}` };
    return (await request.get(`/api/v1/identity/customers/${id}`, { headers })).json();
  };
  return { other, stored };
}

test('two tabs that change different fields keep both', async ({ page, tenant, request }) => {
  const { other, stored } = await twoTabs(page, tenant, request);
  await field(page, 'Company').fill('Quark Labs');
  await field(other, 'Phone').fill('+49 40 2');
  await save(other);
  await expectSaved(other);
  await save(page);
  await expectSaved(page);
  await expect(notice(page)).toHaveCount(0);
  await expect(field(page, 'Phone')).toHaveValue('+49 40 2');
  expect(await stored()).toMatchObject({ company: 'Quark Labs', phone: '+49 40 2' });
});

test('two tabs that change the same field have to choose, and may keep their own', async ({ page, tenant, request }) => {
  const { other, stored } = await twoTabs(page, tenant, request);
  await field(page, 'Company').fill('Mine');
  await field(page, 'Notes').fill('Also mine');
  await field(other, 'Company').fill('Theirs');
  await field(other, 'Phone').fill('+49 40 2');
  await save(other);
  await expectSaved(other);

  await save(page);
  await expect(notice(page)).toContainText('Company, theirs: “Theirs”');
  await expect(notice(page)).not.toContainText('Phone');
  await expect(field(page, 'Company')).toHaveValue('Mine');
  await expect(field(page, 'Phone')).toHaveValue('+49 40 2');
  await expectAccessible(page);
  // A key is no decision.
  await field(page, 'Company').press('Control+s');
  await expect(notice(page)).toBeVisible();
  expect(await stored()).toMatchObject({ company: 'Theirs', notes: '' });

  await page.getByRole('button', { name: 'Keep mine' }).click();
  await expectSaved(page);
  await expect(notice(page)).toHaveCount(0);
  expect(await stored()).toMatchObject({ company: 'Mine', phone: '+49 40 2', notes: 'Also mine' });
});

test('or take the other’s, and what else was changed is saved', async ({ page, tenant, request }) => {
  const { other, stored } = await twoTabs(page, tenant, request);
  await field(page, 'Company').fill('Mine');
  await field(page, 'Notes').fill('Also mine');
  await field(other, 'Company').fill('Theirs');
  await save(other);
  await expectSaved(other);

  await save(page);
  await page.getByRole('button', { name: 'Use theirs' }).click();
  await expectSaved(page);
  await expect(field(page, 'Company')).toHaveValue('Theirs');
  expect(await stored()).toMatchObject({ company: 'Theirs', notes: 'Also mine' });
});

test('a customer that is deleted meanwhile is not found at once, rather than a conflict later', async ({
  page,
  tenant,
  request,
}) => {
  const { other } = await twoTabs(page, tenant, request);
  await field(page, 'Company').fill('Mine');
  await other.getByRole('button', { name: 'Delete' }).click();
  await expect(other).toHaveURL('/customers');
  await expect(page.getByRole('heading', { level: 1, name: 'Customer not found' })).toBeVisible();
});

test.describe('what a program changed meanwhile', () => {
  const service = (name: string) => ({ name, price: 10, currency: 'EUR', billingInterval: 'one-time', active: true });

  test('in a list of services is told by their names, and taken as a whole', async ({ page, tenant, request }) => {
    const headers = { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/merge-patch+json' };
    const write = (profile: object) => request.patch('/api/v1/identity', { headers, data: JSON.stringify({ profile }) });
    expect((await write({ services: [service('Tune-up')] })).status()).toBe(200);
    await signIn(page, tenant, '/identity');
    await page.getByRole('button', { name: 'Remove Tune-up' }).click();
    await page.getByLabel('Tagline').fill('Mine');
    await write({ services: [service('Tune-up'), service('Overhaul')], about: 'Theirs' });

    await save(page);
    await expect(notice(page)).toContainText('Services, theirs: Tune-up, Overhaul');
    await expect(page.getByLabel('About', { exact: true })).toHaveValue('Theirs');
    await page.getByRole('button', { name: 'Use theirs' }).click();
    await expectSaved(page);
    await expect(page.getByRole('button', { name: 'Remove Overhaul' })).toBeVisible();
    const { profile } = await (await request.get('/api/v1/identity', { headers })).json();
    expect(profile).toMatchObject({ tagline: 'Mine', about: 'Theirs', services: [{ name: 'Tune-up' }, { name: 'Overhaul' }] });
  });

  test('of an agent is kept beside one’s own, and levels are decided as a whole', async ({ page, tenant, request }) => {
    const headers = { Authorization: `Bearer ${tenant.key}` };
    const { agents } = await (await request.get('/api/v1/identity/agents', { headers })).json();
    const path = `/api/v1/identity/agents/${agents[0].id}`;
    await signIn(page, tenant, `/agents/${agents[0].id}`);
    await page.getByRole('textbox', { name: 'Tone' }).fill('Mine');
    expect((await request.patch(path, { headers, data: { tags: ['theirs'] } })).status()).toBe(200);
    await save(page);
    await expectSaved(page);
    expect(await (await request.get(path, { headers })).json()).toMatchObject({
      tags: ['theirs'],
      config: { persona: { tone: 'Mine' } },
    });

    await page.goto(`/agents/${agents[0].id}?tab=routes`);
    await page.getByRole('button', { name: 'Add step' }).click();
    await page.keyboard.type('Bob');
    const routes = [{ level: 1, label: 'Ann', timeoutMins: 30, channels: ['email'] }];
    expect((await request.patch(`${path}/hitl`, { headers, data: { routes } })).status()).toBe(200);
    await save(page);
    await expect(notice(page)).toContainText('Escalation steps, theirs: Ann');
    await page.getByRole('button', { name: 'Keep mine' }).click();
    await expectSaved(page);
    const stored = await (await request.get(`${path}/hitl`, { headers })).json();
    expect(stored.routes).toMatchObject([{ label: 'Bob' }]);
  });
});
