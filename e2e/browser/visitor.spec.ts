import { signIn } from '../support/browser';
import { expect, test } from '../support/test';

test('who is not signed in is led to sign-in and back', async ({ page }) => {
  await page.goto('/customers');
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('a button that is clicked and a key that is pressed before the page’s script has come do what they do once it has', async ({
  page,
  tenant,
}) => {
  await signIn(page, tenant);
  let arrive: () => void = () => undefined;
  await page.route('**/_next/**/*.js', async (route) => {
    await arrived;
    await route.continue();
  });
  let arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.goto('/customers', { waitUntil: 'commit' });
  await page.getByRole('button', { name: /account/i }).click();
  const menu = page.getByRole('menu', { name: 'Account' });
  await expect(menu).toHaveCount(0);
  arrive();
  await expect(menu).toBeVisible();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await expect(page).toHaveURL('/settings');

  arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.goto('/customers', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('a');
  arrive();
  await expect(page).toHaveURL('/agents');

  // What is typed after a shortcut is for what it opens.
  arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.goto('/customers', { waitUntil: 'commit' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.type('?n');
  arrive();
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await expect(page).toHaveURL('/customers');
});

test('what a page fetches only when it is opened comes as soon as there is a connection, and the page stays meanwhile', async ({
  page,
  context,
  tenant,
}) => {
  await signIn(page, tenant, '/api-keys');
  // The page's own script must have come.
  await page.getByRole('button', { name: /account/i }).click();
  await expect(page.getByRole('menu', { name: 'Account' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu', { name: 'Account' })).toHaveCount(0);
  await context.setOffline(true);
  await page.getByRole('button', { name: 'New key' }).click();
  const name = page.getByRole('dialog').getByLabel('Name');
  await expect(page.getByRole('heading', { level: 1, name: 'API keys' })).toBeVisible();
  await expect(name).toHaveCount(0);
  await context.setOffline(false);
  await expect(name).toBeFocused();
});
