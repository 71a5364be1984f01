import type { CDPSession, Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll } from '../support/browser';
import { freePort, type Installation, startInstallation } from '../support/installation';
import { databaseUnderTest, expect, type Tenant, test } from '../support/test';
import { waitElevenMinutes } from '../support/two-factor';

/** Passkeys need a host name, while the installation of the other specs is at an IP address: a second server on its database. */
let installation: Installation;
let origin: string;

test.beforeAll(async () => {
  const port = await freePort();
  origin = `http://localhost:${port}`;
  installation = await startInstallation({ port, settings: { PUBLIC_URL: origin, DATABASE_URL: await databaseUnderTest() } });
});

test.afterAll(() => installation?.stop());

/** Marks pages that have asked the authenticator for a passkey. */
async function markPasskeyRequests(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const get = navigator.credentials?.get.bind(navigator.credentials);
    if (!get) return;
    navigator.credentials.get = (options) => {
      document.documentElement.dataset.passkeyRequested = '';
      return get(options);
    };
  });
}

/** Gives the browser an authenticator, as of a laptop with a fingerprint reader. @returns switches it off and on */
async function addAuthenticator(page: Page): Promise<(isPresent: boolean) => Promise<void>> {
  const client: CDPSession = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  const { authenticatorId } = await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      // Otherwise the offer in the email field would be taken at once.
      automaticPresenceSimulation: false,
    },
  });
  return async (enabled) => {
    await client.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled });
  };
}

async function fillInPassword(page: Page, { owner }: Tenant): Promise<void> {
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password', { exact: true }).fill(owner.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

async function signOut(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies();
  await page.goto(`${origin}/sign-in?callbackUrl=/settings/sign-in`);
  // What the email field offers must be asked for before the authenticator is switched on, which would take it.
  await expect(page.locator('html')).toHaveAttribute('data-passkey-requested');
}

test('a passkey is added, signs in, is the second step after a password, confirms, and is removed', async ({ page, tenant }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await markPasskeyRequests(page);
  const setPresent = await addAuthenticator(page);
  await page.goto(`${origin}/sign-in?callbackUrl=/settings/sign-in`);
  await fillInPassword(page, tenant);
  await expect(page).toHaveURL(`${origin}/settings/sign-in`);
  const section = page.getByRole('region', { name: 'Passkeys' });
  await expect(section).toContainText('No passkeys yet');
  await expectAccessible(page);

  await setPresent(true);
  await section.getByRole('button', { name: 'Add passkey' }).click();
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const [recoveryCode = ''] = await codes.allTextContents();
  await page.getByRole('button', { name: 'I saved these codes' }).click();
  await expect(section.getByRole('listitem')).toContainText('Chrome on');
  await expect(page.getByRole('region', { name: 'Two-factor sign-in' })).toContainText('10 of 10 left');
  await section.getByRole('button', { name: /^Rename Chrome/ }).click();
  const rename = page.getByRole('dialog', { name: 'Rename passkey' });
  await rename.getByLabel('Name').fill('Laptop');
  await rename.getByRole('button', { name: 'Save' }).click();
  await expect(section.getByRole('listitem')).toContainText('Laptop');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await section.getByRole('button', { name: 'Add passkey' }).click();
  await expect(page.getByText('already has a passkey for your account')).toBeVisible();

  await setPresent(false);
  await signOut(page);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await setPresent(true);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page).toHaveURL(`${origin}/settings/sign-in`);
  await expect(section.getByRole('listitem')).toContainText(/last used/);

  await setPresent(false);
  await signOut(page);
  await fillInPassword(page, tenant);
  await expect(page.getByRole('heading', { name: 'Two-factor sign-in' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill('nonsense');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Incorrect code' })).toBeVisible();
  await page.getByLabel('Recovery code').fill(recoveryCode);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(`${origin}/settings/sign-in`);

  await signOut(page);
  await fillInPassword(page, tenant);
  await setPresent(true);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL(`${origin}/settings/sign-in`);

  await waitElevenMinutes(tenant);
  await section.getByRole('button', { name: 'Remove Laptop' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove passkey' }).click();
  const question = page.getByRole('dialog', { name: 'Confirm it’s you' });
  await question.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(section).toContainText('No passkeys yet');
  await expect(page.getByRole('region', { name: 'Two-factor sign-in' })).toContainText('Off');

  await setPresent(false);
  await signOut(page);
  await setPresent(true);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'may have been removed' })).toBeVisible();
  await fillInPassword(page, tenant);
  await expect(page).toHaveURL(`${origin}/settings/sign-in`);
});
