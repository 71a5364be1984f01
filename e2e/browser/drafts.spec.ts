import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessible, signIn } from '../support/browser';
import { deliverMail } from '../support/mail';
import { expect, type Tenant, test } from '../support/test';

/** What is typed outlives the session it was typed in, in this browser. */

const headers = ({ key }: Tenant) => ({ Authorization: `Bearer ${key}` });
const offer = (page: Page) => page.getByRole('status').filter({ hasText: 'Restore your unsaved changes?' });

async function createCustomer(request: APIRequestContext, tenant: Tenant): Promise<string> {
  const data = { company: 'Quark', phone: '1', contacts: [{ email: 'ann@quark.example' }] };
  return (await (await request.post('/api/v1/identity/customers', { headers: headers(tenant), data })).json()).id;
}

/** Waits until this many drafts are kept. */
async function expectDrafts(page: Page, count: number): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('frontdesk.draft.')).length))
    .toBe(count);
}

/** Ends the session as another browser would; the page learns of it by itself. */
async function endSession(page: Page): Promise<void> {
  await page.context().clearCookies();
}

async function signInAgain(page: Page, { owner }: Tenant): Promise<void> {
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password', { exact: true }).fill(owner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('edits of a customer are offered after signing in again, and saved as if nothing had happened', async ({
  page,
  tenant,
  request,
}) => {
  const id = await createCustomer(request, tenant);
  await signIn(page, tenant, `/customers/${id}`);
  const company = page.getByRole('form', { name: 'Customer' }).getByLabel('Company');
  await company.fill('Quark Labs');
  await expectDrafts(page, 1);
  // Nothing but the save can notice that the session has ended.
  await page.route(/\/api\/trpc\/(?!customers\.update)/, () => undefined);
  await endSession(page);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.unroute(/\/api\/trpc\/(?!customers\.update)/);
  await signInAgain(page, tenant);
  await expect(page).toHaveURL(new RegExp(id));
  await expect(company).toHaveValue('Quark');
  await expect(offer(page)).toBeVisible();
  await expectAccessible(page);

  // Someone else has changed another field in the meantime.
  await request.patch(`/api/v1/identity/customers/${id}`, { headers: headers(tenant), data: { phone: '2' } });
  await offer(page).getByRole('button', { name: 'Restore' }).click();
  await expect(company).toHaveValue('Quark Labs');
  await page.getByRole('button', { name: 'Save changes' }).click();
  const stored = async () => (await request.get(`/api/v1/identity/customers/${id}`, { headers: headers(tenant) })).json();
  await expect.poll(async () => (await stored()).company).toBe('Quark Labs');
  expect((await stored()).phone).toBe('2');
  await page.reload();
  await expect(company).toHaveValue('Quark Labs');
  await expect(offer(page)).toHaveCount(0);
});

test('a draft is for its account alone, and goes when someone signs out', async ({ page, tenant, createTenant, request }) => {
  const id = await createCustomer(request, tenant);
  await signIn(page, tenant, `/customers/${id}`);
  await page.getByRole('form', { name: 'Customer' }).getByLabel('Company').fill('Quark Labs');
  await expectDrafts(page, 1);
  const other = await createTenant();
  page.on('dialog', (dialog) => void dialog.accept());
  await signIn(page, other, '/customers/new');
  await expect(page.getByRole('form', { name: 'New customer' })).toBeVisible();
  await expect(offer(page)).toHaveCount(0);

  await signIn(page, tenant, `/customers/${id}`);
  await expect(offer(page)).toBeVisible();
  await page.getByRole('button', { name: /^Account:/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  const question = page.getByRole('alertdialog', { name: 'Sign out?' });
  await expect(question).toContainText('1 unsent or unsaved draft');
  await question.getByRole('button', { name: 'Sign out and delete drafts' }).click();
  await expect(page.getByText('You’ve been signed out.')).toBeVisible();
  await signIn(page, tenant, `/customers/${id}`);
  await expect(page.getByRole('form', { name: 'Customer' }).getByLabel('Company')).toHaveValue('Quark');
  await expect(offer(page)).toHaveCount(0);
});

test('discarded, left on purpose or saved, nothing is offered again', async ({ page, tenant, request }) => {
  const id = await createCustomer(request, tenant);
  await signIn(page, tenant, `/customers/${id}`);
  const company = page.getByRole('form', { name: 'Customer' }).getByLabel('Company');
  await company.fill('Quark Labs');
  await expectDrafts(page, 1);
  await page.getByRole('button', { name: 'Discard' }).click();
  await expectDrafts(page, 0);
  await company.fill('Quark Works');
  await expectDrafts(page, 1);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Agents' }).click();
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await expect(page).toHaveURL('/agents');
  await expectDrafts(page, 0);
});

test('a new event comes back with all its fields, without its meeting password', async ({ page, tenant }) => {
  await signIn(page, tenant, '/calendar?view=week&date=2031-11-24');
  await page.getByRole('button', { name: 'New event' }).first().click();
  const panel = page.getByRole('dialog');
  await panel.getByLabel('Title').fill('Wheel truing');
  await panel.getByLabel('Start date').fill('2031-11-26');
  await expectDrafts(page, 1);
  await endSession(page);
  // Where the page has noticed by itself, it is on its way to sign-in already.
  await page.evaluate(() => window.dispatchEvent(new Event('focus'))).catch(() => undefined);
  await expect(page).toHaveURL(/\/sign-in/);
  await signInAgain(page, tenant);
  await offer(page).getByRole('button', { name: 'Restore' }).click();
  await expect(panel.getByLabel('Title')).toHaveValue('Wheel truing');
  await expect(panel.getByLabel('Start date')).toHaveValue('2031-11-26');
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/password\\":\\"[^"\\]/);
});

test('the list marks conversations to which a reply has begun', async ({ page, tenant, request }) => {
  const to = `inbox-manager@${tenant.handle}.localhost`;
  const { conversationId } = await deliverMail(request, tenant, { to, subject: 'Opening hours' });
  await deliverMail(request, tenant, { to, subject: 'Another one' });
  await signIn(page, tenant, `/inbox/${conversationId}`);
  await page.getByRole('button', { name: /^Reply to/ }).click();
  await page.getByRole('form', { name: 'Reply' }).getByRole('textbox', { name: 'Message' }).fill('Yes.');
  const row = (subject: string) =>
    page.getByRole('list', { name: 'Conversations' }).getByRole('link', { name: new RegExp(subject) });
  await expect(row('Opening hours')).toContainText('Draft');
  await expect(row('Another one')).not.toContainText('Draft');
  await page.getByRole('button', { name: 'Delete draft' }).click();
  await expect(row('Opening hours')).not.toContainText('Draft');
});
