import type { Page } from '@playwright/test';
import { expect, test } from '../support/base-test';
import { expectAccessible, expectNoSidewaysScroll, expectSignedOut, signIn } from '../support/browser';
import { withMailingInstallation } from '../support/mailing-installation';
import { createDesk, type Desk } from '../support/own-installation';

/** Links mailed to the person behind an account, on an installation that sends mail. */

const mailing = withMailingInstallation();

/** Signs in by the form. */
async function fillSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** The link in the newest mail to this address with this subject. */
const mailedLink = (email: string, wanted: string) =>
  mailing.newestLink(email, ({ subject, text = '' }) => (subject === wanted ? /https?:\S+#\S+/.exec(text)?.[0] : undefined));

async function desk(): Promise<
  Pick<Desk, 'email' | 'password'> & { owner: { userId: string; email: string; password: string } }
> {
  const { email, password } = await createDesk(mailing.installation);
  return { email, password, owner: { userId: '', email, password } };
}

test('a forgotten password is set by a mailed link, which works once and ends every session', async ({ browser }) => {
  const { email, owner } = await desk();
  const other = await mailing.newPage(browser);
  await signIn(other, { owner }, '/customers');

  const page = await mailing.newPage(browser, { viewport: { width: 390, height: 844 } });
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await expect(page.getByRole('heading', { name: 'Forgot password' })).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  await expectAccessible(page);

  const link = await mailedLink(email, 'Set a new password');
  expect(link).toContain(`${mailing.installation.baseUrl}/reset-password#`);
  // Whoever looks at links before people do uses nothing up.
  const looked = await page.request.get(link);
  expect(looked.headers()).toMatchObject({
    'referrer-policy': 'no-referrer',
    'cache-control': expect.stringContaining('no-store'),
  });
  await page.goto(link);
  await expect(page.getByText(email)).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByLabel('New password', { exact: true }).fill('qwerty123456');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByText(/most common passwords/)).toBeVisible();
  await page.getByLabel('New password', { exact: true }).fill('a completely new one');
  await page.getByRole('button', { name: 'Set password' }).click();
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible();
  expect(new URL(page.url()).hash).toBe('');
  await expectSignedOut(other);

  await page.getByRole('link', { name: 'Sign in' }).click();
  await fillSignIn(page, email, 'a completely new one');
  await expect(page).toHaveURL(`${mailing.installation.baseUrl}/`);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible();
  await expectAccessible(page);
  expect(mailing.installation.output()).not.toContain(new URL(link).hash.slice(1));
});

test('an address no one has is answered in the same words, and gets no mail', async ({ browser }) => {
  const page = await mailing.newPage(browser);
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill('nobody@nowhere.example');
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await expect(page.getByText(/If an account exists for/)).toBeVisible();
  expect(mailing.mailServer.accepted.flatMap(({ recipients }) => recipients)).not.toContain('nobody@nowhere.example');
});

test('a new email is confirmed by the link mailed to it, after signing in where no one is', async ({ browser }) => {
  const { email, owner } = await desk();
  const wanted = `new-${email}`;
  const page = await mailing.newPage(browser);
  await signIn(page, { owner }, '/settings');
  await page.getByRole('button', { name: 'Change email' }).click();
  const form = page.getByRole('form', { name: 'Change email' });
  await form.getByLabel('New email').fill(wanted);
  await form.getByLabel('Your password', { exact: true }).fill(owner.password);
  await form.getByRole('button', { name: 'Send link' }).click();
  const card = page.getByRole('region', { name: 'Email' });
  await expect(card).toContainText(`Open the link we emailed to ${wanted}`);
  await expect(card).toContainText(email);
  await expectAccessible(page);

  const link = await mailedLink(wanted, 'Confirm your email address');
  const elsewhere = await mailing.newPage(browser, { viewport: { width: 390, height: 844 } });
  await elsewhere.goto(link);
  await expect(elsewhere.getByText(/Sign in with your current email/)).toBeVisible();
  await expectAccessible(elsewhere);
  await fillSignIn(elsewhere, email, owner.password);
  await expect(elsewhere.getByText(`You will sign in as ${wanted} instead of`)).toBeVisible();
  await expectAccessible(elsewhere);
  await expectNoSidewaysScroll(elsewhere);
  await elsewhere.getByRole('button', { name: 'Confirm email' }).click();
  await expect(elsewhere.getByRole('heading', { name: 'Email confirmed' })).toBeVisible();
  await elsewhere.getByRole('link', { name: 'Go to dashboard' }).click();
  await expect(elsewhere).toHaveURL(`${mailing.installation.baseUrl}/`);

  await expectSignedOut(page);
  await signIn(page, { owner: { ...owner, email: wanted } }, '/settings');
  await expect(page.getByRole('region', { name: 'Email' })).toContainText(wanted);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible();
});

test('a request to change the email can be taken back', async ({ browser }) => {
  const { email, owner } = await desk();
  const page = await mailing.newPage(browser);
  await signIn(page, { owner }, '/settings');
  await page.getByRole('button', { name: 'Change email' }).click();
  const form = page.getByRole('form', { name: 'Change email' });
  await form.getByLabel('New email').fill(`new-${email}`);
  await form.getByLabel('Your password', { exact: true }).fill(owner.password);
  await form.getByRole('button', { name: 'Send link' }).click();
  const link = await mailedLink(`new-${email}`, 'Confirm your email address');
  await page.getByRole('button', { name: 'Cancel request' }).click();
  await expect(page.getByText(/Open the link we emailed to/)).toHaveCount(0);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible();
});
