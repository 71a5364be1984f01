import type { Locator, Page } from '@playwright/test';
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

/** Creates a key in the dashboard and returns its token. */
async function createKey(page: Page, name: string, choose: (dialog: Locator) => Promise<void>): Promise<string> {
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New API key' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await choose(dialog);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const issued = page.getByRole('dialog').filter({ hasText: /sk_live_[0-9A-Za-z]{49}/ });
  const key = /sk_live_[0-9A-Za-z]{49}/.exec(await issued.innerText())?.[0] ?? '';
  await issued.getByRole('button', { name: 'Done' }).click();
  return key;
}

test('a key may do what was chosen for it, and the list says so', async ({ page, tenant, request }) => {
  await signIn(page, tenant, '/api-keys');
  const form = await createKey(page, 'Shop', async (dialog) => {
    await dialog.getByLabel('Access').selectOption('Website form');
  });
  const get = async (key: string, path: string) => {
    const response = await request.get(`/api/v1${path}`, { headers: { Authorization: `Bearer ${key}` } });
    return [response.status(), (await response.json()).details?.required];
  };
  expect(await get(form, '/identity/customers')).toEqual([200, undefined]);
  expect(await get(form, '/conversations')).toEqual([403, 'conversations:read']);
  await expect(page.getByRole('row', { name: /Shop/ })).toContainText('Website form');

  const custom = await createKey(page, 'Reports', async (dialog) => {
    await dialog.getByLabel('Access').selectOption('Custom');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await expect(dialog.getByText('Choose at least one permission.')).toBeVisible();
    await dialog.getByRole('radio', { name: 'Usage: read' }).check();
    await dialog.getByRole('radio', { name: 'Blog: write' }).check();
  });
  expect(await get(custom, '/usage/stats')).toEqual([200, undefined]);
  expect(await get(custom, '/blog/posts')).toEqual([200, undefined]);
  expect(await get(custom, '/identity/customers')).toEqual([403, 'customers:read']);
  await expect(page.getByRole('row', { name: /Reports/ })).toContainText('2 permissions');
});

test('the key of an agent acts as it, and the list and the audit log name the agent', async ({ page, tenant, request }) => {
  await signIn(page, tenant, '/api-keys');
  const key = await createKey(page, 'Night shift', async (dialog) => {
    await dialog.getByLabel('Access').selectOption('Agent');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await expect(dialog.getByText('Choose an agent.')).toBeVisible();
    await dialog.getByLabel('Acts as').selectOption({ index: 1 });
  });
  const headers = { Authorization: `Bearer ${key}` };
  const { agents } = await (await request.get('/api/v1/identity/agents', { headers })).json();
  const { name } = agents[0];
  await expect(page.getByRole('row', { name: /Night shift/ })).toContainText(name);
  const data = { contacts: [{ email: 'ann@quark.example' }], company: 'Quark Labs' };
  expect((await request.post('/api/v1/identity/customers', { headers, data })).status()).toBe(201);
  await page.goto('/audit');
  await expect(page.getByText(`${name} (key Night shift)`).first()).toBeVisible();
});
