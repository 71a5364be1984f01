import { gunzipSync } from 'node:zlib';
import { expectAccessible } from '../support/browser';
import { expect, test } from '../support/test';

test('the API reference shows how to install the typed client, which this installation serves', async ({ page, request }) => {
  await page.goto('/docs');
  const install = page.getByText(/npm install \.\/frontdesk-client-[\d.]+\.tgz/).first();
  await expect(install).toBeVisible();
  const [, path] = /curl -O \S+?(\/vendor\/frontdesk-client-[\d.]+\.tgz)/.exec(await page.locator('body').innerText()) ?? [];
  const response = await request.get(path ?? '/not-shown');
  expect(response.status()).toBe(200);
  const files = gunzipSync(await response.body()).toString('latin1');
  for (const file of ['dist/esm/index.js', 'dist/cjs/index.js', 'README.md']) expect(files).toContain(`package/${file}`);
  await expectAccessible(page);
});
