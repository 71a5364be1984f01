import { expectAccessible, signIn } from '../support/browser';
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

test('a price means the same with either decimal mark, and is asked about where it could be two', async ({
  page,
  tenant,
  request,
}) => {
  await signIn(page, tenant, '/identity');
  await page.getByRole('button', { name: 'Add service' }).click();
  const price = page.getByLabel('Price');
  await expect(price).toBeVisible();
  // Nothing is wrong before anything was typed.
  await expect(page.locator('[aria-invalid]')).toHaveCount(0);
  await page.getByLabel('Name', { exact: true }).fill('Tune-up');
  await price.fill('12,50');
  await expect(page.getByText('= €12.50')).toBeVisible();
  await price.fill('1.250,00');
  await expect(page.getByText('= €1,250.00')).toBeVisible();
  await price.fill('1,250');
  const question = page.getByText('Which amount do you mean?');
  await expect(question).toBeVisible();
  // The bar that saves does not cover it.
  const bar = page.getByText('Unsaved changes');
  const room = async () =>
    ((await bar.boundingBox())?.y ?? 0) -
    ((await page.getByRole('button', { name: '€1.25', exact: true }).boundingBox())?.y ?? 0);
  await expect.poll(room).toBeGreaterThan(40);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(price).toHaveAttribute('aria-invalid', 'true');
  await expectAccessible(page);
  await page.getByRole('button', { name: '€1.25', exact: true }).click();
  await expect(page.getByText('Which amount do you mean?')).toHaveCount(0);
  await page.getByRole('button', { name: 'Save' }).click();
  const services = async () => {
    const answer = await request.get('/api/v1/identity', { headers: { Authorization: `Bearer ${tenant.key}` } });
    return (await answer.json()).profile?.services?.map((service: { price: number }) => service.price);
  };
  await expect.poll(services).toEqual([1.25]);
});

test('a website is typed without its scheme', async ({ page, tenant, request }) => {
  await signIn(page, tenant, '/identity');
  await page.getByLabel('Website').fill('kettlegrain.example');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByLabel('Website')).toHaveValue('https://kettlegrain.example');
  const answer = await request.get('/api/v1/identity', { headers: { Authorization: `Bearer ${tenant.key}` } });
  expect((await answer.json()).profile.website).toBe('https://kettlegrain.example');
});
