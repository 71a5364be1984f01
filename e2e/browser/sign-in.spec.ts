import { expectAccessible, expectNoSidewaysScroll, expectSignedOut, signIn } from '../support/browser';
import { expect, test } from '../support/test';

test('an owner signs in, is led back to the page asked for, and signs out', async ({ page, tenant }) => {
  await page.goto('/customers?q=quark');
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=/);
  await page.getByLabel('Email').fill(tenant.owner.email);
  await page.getByLabel('Password', { exact: true }).fill(tenant.owner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL('/customers?q=quark');

  await page.getByRole('button', { name: /account/i }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await page.goto('/customers');
  await expect(page).toHaveURL(/\/sign-in/);
});

test('a wrong password and an unknown account are refused in the same words, and what was typed stays', async ({
  page,
  tenant,
}) => {
  await page.goto('/sign-in');
  const refusals: (string | null)[] = [];
  for (const email of [tenant.owner.email, 'nobody@unknown.example']) {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const refusal = page.getByRole('alert').filter({ hasText: /\S/ });
    await expect(refusal).toBeVisible();
    refusals.push(await refusal.textContent());
    await expect(page.getByLabel('Email')).toHaveValue(email);
  }
  expect(refusals[0]).toBe(refusals[1]);
});

test('a callback to another site leads to the start page instead', async ({ page, tenant, baseURL }) => {
  await page.goto('/sign-in?callbackUrl=//evil.example/phish');
  await page.getByLabel('Email').fill(tenant.owner.email);
  await page.getByLabel('Password', { exact: true }).fill(tenant.owner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(`${baseURL}/`);
});

test('the session cookie is out of reach of scripts and other sites', async ({ page, tenant, context }) => {
  await signIn(page, tenant);
  const session = (await context.cookies()).find((cookie) => cookie.name === 'frontdesk.session');
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
});

test('a copy of the session cookie is worth nothing after signing out', async ({ page, tenant, context, browser }) => {
  await signIn(page, tenant);
  const cookies = await context.cookies();
  const thief = await browser.newContext();
  await thief.addCookies(cookies);
  const stolen = await thief.newPage();
  await stolen.goto('/customers');
  await expect(stolen).toHaveURL('/customers');

  await page.getByRole('button', { name: /account/i }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page).toHaveURL(/\/sign-in/);
  await expectSignedOut(stolen);
  await thief.close();
});

test('an owner of two identities switches between them', async ({ page, tenant, createTenant }) => {
  const { owner } = tenant;
  await createTenant({ existingOwner: true, ownerEmail: owner.email, displayName: 'Second business' });
  await signIn(page, tenant, '/identity');
  await expect(page.getByText(tenant.handle, { exact: true }).first()).toBeVisible();
  await page.getByRole('button', { name: /switch/i }).click();
  await page.getByRole('menuitem', { name: /Second business/ }).click();
  await expect(page.getByLabel('Display name')).toHaveValue('Second business');
});

test('without outgoing mail, who has forgotten the password learns whom to ask', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page.getByRole('heading', { name: 'Ask your administrator' })).toBeVisible();
  await expect(page.getByText('user set-password')).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  for (const path of ['/reset-password', '/reset-password#nonsense']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible();
  }
  await page.getByRole('link', { name: 'Get a new link' }).click();
  await expect(page).toHaveURL(/forgot-password$/);
});
