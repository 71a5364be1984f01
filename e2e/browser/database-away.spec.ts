import { expect, test } from '../support/base-test';
import { type Installation, startInstallation } from '../support/installation';
import { createDesk } from '../support/own-installation';
import { type OwnPostgres, startOwnPostgres } from '../support/own-postgres';

/** What people see while the database is away; what programs hear is in process/database-gone.spec.ts. */

let postgres: OwnPostgres;
let installation: Installation;

test.beforeAll(async () => {
  postgres = await startOwnPostgres();
  installation = await startInstallation({ settings: { DATABASE_URL: postgres.url } });
});

test.afterAll(async () => {
  await installation?.stop();
  await postgres?.remove();
});

test('signing in says that the database is away, keeps what was typed, and works again by itself', async ({ browser }) => {
  const { dataDir, baseUrl: baseURL } = installation;
  const { email, password } = await createDesk({ dataDir, databaseUrl: postgres.url });
  const page = await (await browser.newContext({ baseURL })).newPage();
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);

  await postgres.stop();
  await expect.poll(async () => (await page.request.get('/readyz')).status()).toBe(503);
  const answered = page.waitForResponse('**/api/auth/callback/credentials');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  const answer = await answered;
  expect([answer.status(), answer.headers()['retry-after']]).toEqual([503, '5']);
  expect(await answer.json()).toMatchObject({ error: 'Service unavailable', code: 'unavailable', requestId: expect.any(String) });
  const alert = page.getByRole('alert').filter({ hasText: /\S/ });
  await expect(alert).toContainText('The database is not reachable right now. Try again in a few seconds.');
  await expect(page.getByLabel('Email')).toHaveValue(email);

  await postgres.start();
  await expect.poll(async () => (await page.request.get('/readyz')).status()).toBe(200);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page).toHaveURL(`${baseURL}/`);
  await page.context().close();
});
