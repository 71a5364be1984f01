import { collectBrowserErrors, expectAccessible } from '../support/browser';
import { startInstallation } from '../support/installation';
import { expect, test } from '../support/test';

test('an empty installation is set up through its one-time link', async ({ page, request }) => {
  const installation = await startInstallation();
  try {
    await expect.poll(() => installation.output()).toMatch(/\/setup\?token=\S+/);
    const link = /http\S+\/setup\?token=\S+/.exec(installation.output())?.[0] ?? '';
    const complaints = collectBrowserErrors(page);
    await page.goto(link);
    await expectAccessible(page);
    await page.getByLabel('Email').fill('ann@quark.example');
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
    await page.getByLabel('Business name').fill('Quark Labs');
    await expect(page.getByLabel('URL name')).toHaveValue('quark-labs');
    await page.getByRole('button', { name: 'Create account' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Frontdesk is ready');
    const key = /sk_live_[0-9A-Za-z]{49}/.exec(await page.locator('main, body').first().innerText())?.[0] ?? '';
    const headers = { Authorization: `Bearer ${key}` };
    const identity = await request.get(`${installation.baseUrl}/api/v1/identity`, { headers });
    expect(await identity.json()).toMatchObject({ handle: 'quark-labs', displayName: 'Quark Labs' });
    await page.getByRole('link', { name: 'Go to dashboard' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Quark Labs');
    expect(complaints).toEqual([]);

    await page.goto(link);
    await expect(page.getByLabel('Business name')).toHaveCount(0);
  } finally {
    await installation.stop();
  }
});
