import type { Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, signIn } from '../support/browser';
import { expect, type Tenant, test } from '../support/test';
import { nextAppCode, waitElevenMinutes } from '../support/two-factor';

async function fillInCredentials(page: Page, { owner }: Tenant): Promise<void> {
  // The page before asks for news, and would lead to signing in by itself.
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.goto('/sign-in?callbackUrl=/customers');
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password', { exact: true }).fill(owner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Sets two-factor sign-in up in the settings, as an owner with an app does. */
async function setUp(page: Page, tenant: Tenant): Promise<{ secret: string; recoveryCodes: string[] }> {
  await page.getByRole('button', { name: 'Set up two-factor sign-in' }).click();
  const form = page.getByRole('form', { name: 'Set up two-factor sign-in' });
  await expect(form.getByRole('img', { name: /QR code/ })).toBeVisible();
  const secret = ((await form.locator('code').textContent()) ?? '').replaceAll(' ', '');
  await form.getByLabel('Six-digit code').fill('12345');
  await form.getByRole('button', { name: 'Turn on' }).click();
  await expect(form.getByText(/six digits/)).toBeVisible();
  await form.getByLabel('Six-digit code').fill(await nextAppCode(tenant, secret));
  await form.getByRole('button', { name: 'Turn on' }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const recoveryCodes = await codes.allTextContents();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'I saved these codes' }).click();
  await expect(page.getByRole('region', { name: 'Two-factor sign-in' })).toContainText('10 of 10 left');
  return { secret, recoveryCodes };
}

test('two-factor sign-in is set up, asked for at sign-in, and turned off with a code', async ({ page, tenant }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, tenant, '/settings/sign-in');
  const { secret, recoveryCodes } = await setUp(page, tenant);
  await page.goto('/customers');
  await expect(page).toHaveURL('/customers');

  await fillInCredentials(page, tenant);
  await expect(page.getByRole('heading', { name: 'Two-factor sign-in' })).toBeVisible();
  const code = page.getByLabel('Authentication code');
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('frontdesk.session');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await code.fill('00000');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Incorrect code' })).toBeVisible();
  await code.fill(await nextAppCode(tenant, secret));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/customers');

  await fillInCredentials(page, tenant);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/customers');

  await page.goto('/settings/sign-in');
  const section = page.getByRole('region', { name: 'Two-factor sign-in' });
  await expect(section).toContainText('9 of 10 left');
  await section.getByRole('button', { name: 'New recovery codes' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Create new codes' }).click();
  await expect(page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')).toHaveCount(10);
  await page.getByRole('button', { name: 'I saved these codes' }).click();
  await expect(section).toContainText('10 of 10 left');

  await waitElevenMinutes(tenant);
  await section.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await question.getByLabel('Your password', { exact: true }).fill(tenant.owner.password);
  await question.getByRole('button', { name: 'Continue' }).click();
  await question.getByLabel('Authentication code').fill(await nextAppCode(tenant, secret));
  await question.getByRole('button', { name: 'Continue' }).click();
  await expect(section).toContainText('Off');
  await fillInCredentials(page, tenant);
  await expect(page).toHaveURL('/customers');
});

test('a sensitive change long after signing in asks for the password once, and then goes on with what was typed', async ({
  page,
  tenant,
}) => {
  await signIn(page, tenant, '/api-keys');
  await waitElevenMinutes(tenant);
  await page.getByRole('button', { name: 'New key' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'New API key' });
  await dialog.getByLabel('Name').fill('Website');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await expect(question.getByLabel('Your password', { exact: true })).toBeFocused();
  await expect(page.getByText('New API key')).toBeHidden();
  await expectAccessible(page);
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(dialog.getByRole('alert')).toContainText('Enter your password again');
  await expect(dialog.getByLabel('Name')).toHaveValue('Website');

  await dialog.getByRole('button', { name: 'Create key' }).click();
  await question.getByLabel('Your password', { exact: true }).fill('not the password');
  await question.getByRole('button', { name: 'Continue' }).click();
  await expect(question.getByText(/is wrong/)).toBeVisible();
  await question.getByLabel('Your password', { exact: true }).fill(tenant.owner.password);
  await question.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText(/sk_live_\w+/).first()).toBeVisible();
  await expect(question).toHaveCount(0);
});
