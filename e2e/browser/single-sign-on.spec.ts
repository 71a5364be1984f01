import { expectAccessible, expectNoSidewaysScroll, signIn } from '../support/browser';
import { freePort, type Installation, startInstallation } from '../support/installation';
import { startOidcProvider, type TestProvider } from '../support/oidc-provider';
import { createDesk } from '../support/own-installation';
import { expect, test } from '../support/test';

/** Single sign-on through a real OpenID Connect provider. Its refusals are tested with the service. */

let provider: TestProvider;
let installation: Installation;

test.beforeAll(async () => {
  const port = await freePort();
  provider = await startOidcProvider(`http://127.0.0.1:${port}`);
  installation = await startInstallation({ port, settings: provider.settings });
});

test.afterAll(async () => {
  await installation?.stop();
  await provider?.close();
});

test('an owner connects single sign-on, signs out, and comes back with it', async ({ browser }) => {
  const { email, password } = await createDesk(installation);
  const context = await browser.newContext({ baseURL: installation.baseUrl, viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  const owner = { userId: '', email, password };

  // Not connected yet: the email of an account is no way in.
  provider.person = { sub: 'ann', email, email_verified: true };
  await page.goto('/sign-in?callbackUrl=/customers');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'connect single sign-on under Settings' })).toBeVisible();
  await expectAccessible(page);

  await signIn(page, { owner }, '/settings/sign-in');
  const section = page.getByRole('region', { name: 'Single sign-on' });
  await section.getByRole('button', { name: 'Connect' }).click();
  await expect(page.getByText('Single sign-on is connected')).toBeVisible();
  await expect(page).toHaveURL(/\/settings\/sign-in$/);
  await expect(section).toContainText(email);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await page.goto('about:blank');
  await context.clearCookies({ name: 'frontdesk.session' });
  await page.goto('/sign-in?callbackUrl=/customers');
  await page.getByRole('link', { name: 'Continue with single sign-on' }).click();
  await expect(page).toHaveURL(`${installation.baseUrl}/customers`);

  await page.goto('/settings/sign-in');
  await section.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Disconnect' }).click();
  await expect(section).toContainText('Not connected');
  await context.close();
});
