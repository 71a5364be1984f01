import type { Browser } from '@playwright/test';
import { expectAccessible, expectSignedOut, signIn } from '../support/browser';
import { forgetEmailProof } from '../support/email-proof';
import { expect, type Tenant, test } from '../support/test';

/** The owner in a browser of its own. */
async function elsewhere(browser: Browser, tenant: Tenant, path: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await signIn(page, tenant, path);
  return { page, close: () => context.close() };
}

test('the last section is in view in the navigation of a phone', async ({ page, tenant }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, tenant, '/settings/danger');
  await expect(page.getByRole('navigation', { name: 'Settings' }).locator('[aria-current="page"]')).toBeInViewport();
});

test('a session that is ended elsewhere is signed out at its next click', async ({ page, tenant, browser }) => {
  const other = await elsewhere(browser, tenant, '/customers');
  // Looking for news, the page would find out before the click.
  await other.page.route(/conversations\.pulse|events\.read/, () => undefined);
  await signIn(page, tenant, '/settings/sign-in');
  const rows = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('This browser');
  await rows
    .nth(1)
    .getByRole('button', { name: /^Sign out / })
    .click();
  await expect(rows).toHaveCount(1);

  await other.page.getByRole('link', { name: 'Agents' }).first().click();
  await expect(other.page).toHaveURL(/\/sign-in/);
  await page.reload();
  await expect(rows).toHaveCount(1);
  await other.close();
});

test('all other sessions end together, after a question that says how many', async ({ page, tenant, browser }) => {
  const others = await Promise.all([1, 2].map(() => elsewhere(browser, tenant, '/customers')));
  await signIn(page, tenant, '/settings/sign-in');
  await page.getByRole('button', { name: 'Sign out all others' }).click();
  const question = page.getByRole('alertdialog', { name: 'Sign out all others?' });
  await expect(question).toContainText('2 browsers');
  await question.getByRole('button', { name: 'Sign out others' }).click();
  await expect(page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')).toHaveCount(1);
  for (const other of others) {
    await expectSignedOut(other.page);
    await other.close();
  }
});

test('changing the password ends the other sessions and keeps this one', async ({ page, tenant, browser }) => {
  const other = await elsewhere(browser, tenant, '/customers');
  await signIn(page, tenant, '/settings');
  await page.getByLabel('Current password', { exact: true }).fill('not the password');
  await page.getByLabel('New password', { exact: true }).fill('a completely new one');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText(/is wrong/)).toBeVisible();
  await expect(page.getByLabel('New password', { exact: true })).toHaveValue('a completely new one');

  await page.getByLabel('Current password', { exact: true }).fill(tenant.owner.password);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password changed')).toBeVisible();
  await page.goto('/customers');
  await expect(page).toHaveURL('/customers');

  await expectSignedOut(other.page);
  await signIn(other.page, { owner: { ...tenant.owner, password: 'a completely new one' } });
  await expect(other.page.getByRole('heading', { level: 1 })).toBeVisible();
  await other.close();
});

test('the email stays as it is where no mail can confirm another one, and the form says who can help', async ({
  page,
  tenant,
}) => {
  await signIn(page, tenant, '/settings');
  await page.getByRole('button', { name: 'Change email' }).click();
  const form = page.getByRole('form', { name: 'Change email' });
  await expectAccessible(page);
  await form.getByLabel('New email').fill(`new@${tenant.handle}.example`);
  await form.getByLabel('Your password', { exact: true }).fill(tenant.owner.password);
  await form.getByRole('button', { name: 'Send link' }).click();
  await expect(form.getByText(/operator/)).toBeVisible();
  await form.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('region', { name: 'Email' })).toContainText(tenant.owner.email);
});

test('an email that no one has proven can be, and says what it is not trusted for', async ({ page, tenant }) => {
  await forgetEmailProof(tenant);
  await signIn(page, tenant, '/settings');
  const card = page.getByRole('region', { name: 'Email' });
  await expect(card).toContainText(`${tenant.owner.email} isn’t confirmed`);
  await expectAccessible(page);
  await card.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByText('Couldn’t send the link')).toBeVisible();
});

test('mail says what is missing, and the addresses', async ({ page, tenant }) => {
  await signIn(page, tenant, '/settings/mail');
  const outgoing = page.getByRole('region', { name: 'Outgoing email' });
  await expect(outgoing).toContainText('SMTP_URL');
  await expect(outgoing.getByRole('button', { name: 'Send test email' })).toBeDisabled();
  await expect(page.getByRole('region', { name: 'Incoming email' })).toContainText('POST /api/inbound/email');
  await expect(page.getByRole('list', { name: 'Addresses' })).toContainText(`inbox-manager@${tenant.handle}.localhost`);
});

test('a business is deleted with its name, and a new one takes its place', async ({ page, tenant, request }) => {
  const headers = { Authorization: `Bearer ${tenant.key}` };
  await request.post('/api/v1/identity/customers', { headers, data: { contacts: [{ email: 'ann@quark.example' }] } });
  await signIn(page, tenant, '/settings/danger');
  await page.getByRole('button', { name: 'Delete business' }).click();
  const dialog = page.getByRole('alertdialog', { name: /^Delete / });
  await expect(dialog.getByRole('list', { name: 'What will be deleted' })).toContainText('1 customer');
  await dialog.getByLabel('Business name').fill('another-one');
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(dialog.getByText(`must be ${tenant.handle}`)).toBeVisible();

  await dialog.getByLabel('Business name').fill(tenant.handle);
  await dialog.getByRole('button', { name: 'Delete permanently' }).click();
  await expect(page.getByRole('heading', { name: 'No business' })).toBeVisible();
  await expect.poll(async () => (await request.get('/api/v1/identity', { headers })).status()).toBe(401);
  expect((await request.get(`/blog/${tenant.handle}`)).status()).toBe(404);
  await expectAccessible(page);

  await page.getByLabel('Business name').fill('Second try');
  await expect(page.getByLabel('URL name')).toHaveValue('second-try');
  await page.getByLabel('URL name').fill(tenant.handle);
  await page.getByRole('button', { name: 'Create business' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Second try');
});

test('a further business is made from the menu of businesses', async ({ page, tenant }) => {
  await signIn(page, tenant);
  await page.getByRole('button', { name: /switch/i }).click();
  await page.getByRole('menuitem', { name: 'New business…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New business' });
  await dialog.getByLabel('Business name').fill('Second business');
  await dialog.getByLabel('URL name').fill(tenant.handle);
  await dialog.getByRole('button', { name: 'Create business' }).click();
  await expect(dialog.getByText(/is taken/)).toBeVisible();
  await expect(dialog.getByLabel('Business name')).toHaveValue('Second business');
  await dialog.getByLabel('URL name').fill(`${tenant.handle}-2`);
  await dialog.getByRole('button', { name: 'Create business' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Second business');
});

test('signing out everywhere ends this session as well', async ({ page, tenant, browser }) => {
  const other = await elsewhere(browser, tenant, '/customers');
  await signIn(page, tenant, '/settings/danger');
  await page.getByRole('button', { name: 'Sign out everywhere' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await expectSignedOut(other.page);
  await other.close();
});
