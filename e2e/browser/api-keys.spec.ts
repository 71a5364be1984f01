import { signIn } from '../support/browser';
import { expect, test } from '../support/test';

test('a key is shown once, works as the curl line says, and stops when it is revoked', async ({ page, tenant, request }) => {
  await signIn(page, tenant, '/api-keys');
  await page
    .getByRole('button', { name: /New key|Create key/ })
    .first()
    .click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Importer');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog', { name: /Importer/ });
  const key = /sk_live_[0-9A-Za-z]{49}/.exec(await dialog.innerText())?.[0] ?? '';
  expect(await dialog.innerText()).toMatch(/curl .*\/api\/v1\/identity/s);
  const read = () => request.get('/api/v1/identity', { headers: { Authorization: `Bearer ${key}` } });
  expect((await read()).status()).toBe(200);
  await dialog.getByRole('button', { name: 'Done' }).click();

  await page.reload();
  await expect(page.getByText('Importer').first()).toBeVisible();
  expect(await page.content()).not.toContain(key);

  await page.getByRole('button', { name: 'Actions for Importer' }).click();
  await page.getByRole('menuitem', { name: /Revoke/ }).click();
  await page.getByRole('button', { name: 'Revoke key' }).click();
  await expect.poll(async () => (await read()).status()).toBe(401);
});

test('rotating gives a second key and lets the first one go on', async ({ page, tenant, request }) => {
  await signIn(page, tenant, '/api-keys');
  await page.getByRole('button', { name: 'Actions for Test key' }).click();
  await page.getByRole('menuitem', { name: /Rotate/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Rotate|Create|New key/ })
    .last()
    .click();
  const dialog = page.getByRole('dialog').filter({ hasText: /sk_live_[0-9A-Za-z]{49}/ });
  const fresh = /sk_live_[0-9A-Za-z]{49}/.exec(await dialog.innerText())?.[0] ?? '';
  for (const key of [fresh, tenant.key]) {
    const response = await request.get('/api/v1/identity', { headers: { Authorization: `Bearer ${key}` } });
    expect(response.status()).toBe(200);
  }
});

test('what a key opens takes the focus and gives it back, the first time and again, and without motion', async ({
  page,
  tenant,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await signIn(page, tenant, '/api-keys');
  const create = page.getByRole('button', { name: 'New key' });
  const actions = page.getByRole('button', { name: 'Actions for Test key' });
  for (const time of ['first', 'second']) {
    await test.step(`the ${time} time`, async () => {
      await create.press('Enter');
      await expect(page.getByRole('dialog').getByLabel('Name')).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(create).toBeFocused();

      for (const key of ['Enter', 'Space', 'ArrowDown']) {
        await actions.press(key);
        await expect(page.getByRole('menuitem', { name: /Rotate/ })).toBeFocused();
        await page.keyboard.press('Escape');
        await expect(actions).toBeFocused();
      }
    });
  }
});
