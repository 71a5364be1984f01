import { signIn } from '../support/browser';
import { expect, test } from '../support/test';

test('the profile is edited in the browser and served by the API', async ({ page, tenant, request }) => {
  await signIn(page, tenant, '/identity');
  await page.getByLabel('Display name').fill('Quark Labs');
  await page.getByLabel('Tagline').fill('Small particles');
  await page.getByLabel('Website').fill('ftp://quark.example');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('must be a URL that starts with http')).toBeVisible();

  await page.getByLabel('Website').fill('https://quark.example');
  await page.getByRole('button', { name: 'Save' }).click();
  const read = async () => (await request.get('/api/v1/identity', { headers: { Authorization: `Bearer ${tenant.key}` } })).json();
  await expect.poll(async () => (await read()).displayName).toBe('Quark Labs');
  expect((await read()).profile).toMatchObject({ tagline: 'Small particles', website: 'https://quark.example' });
});

test('what the API wrote meanwhile is not undone by saving another field', async ({ page, tenant, request }) => {
  const headers = { Authorization: `Bearer ${tenant.key}` };
  await request.patch('/api/v1/identity', { headers, data: { profile: { tagline: 'Before', about: 'Old' } } });
  await signIn(page, tenant, '/identity');
  await expect(page.getByLabel('Tagline')).toHaveValue('Before');
  const mergePatch = { ...headers, 'Content-Type': 'application/merge-patch+json' };
  await request.patch('/api/v1/identity', {
    headers: mergePatch,
    data: JSON.stringify({ profile: { about: 'Written by a program' } }),
  });
  await page.getByLabel('Tagline').fill('After');
  await page.getByRole('button', { name: 'Save' }).click();
  const read = async () => (await (await request.get('/api/v1/identity', { headers })).json()).profile;
  await expect.poll(async () => (await read()).tagline).toBe('After');
  expect((await read()).about).toBe('Written by a program');
});

test('the counter of about counts what people see as characters', async ({ page, tenant }) => {
  await signIn(page, tenant, '/identity');
  await page.getByLabel('About', { exact: true }).fill('👍🏽 ok');
  await expect(page.getByText('5 / 1,000')).toBeVisible();
});
