import type { Page } from '@playwright/test';
import { expectAccessible, signIn } from '../support/browser';
import { expect, test } from '../support/test';

/** Links on a slow line, without a line, and without a server. */

const link = (page: Page, name: string) => page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
const isPage = (headers: Record<string, string>) => headers.rsc === '1' && !headers['next-router-prefetch'];

test('a link that loads slowly shows progress', async ({ page, tenant }) => {
  await signIn(page, tenant, '/customers');
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  await page.route('**/agents**', async (route) => {
    if (isPage(route.request().headers())) await opened;
    await route.continue();
  });
  const progress = page.getByRole('progressbar', { name: 'Loading the page' });
  // Measured in the page, from the click: how long this test takes to look does not count.
  await page.evaluate(() => {
    addEventListener(
      'click',
      () => {
        const from = performance.now();
        new MutationObserver((_changes, observer) => {
          if (!document.querySelector('[role="progressbar"]')) return;
          observer.disconnect();
          document.documentElement.dataset.waited = String(performance.now() - from);
        }).observe(document.body, { subtree: true, childList: true, attributes: true });
      },
      { capture: true, once: true },
    );
  });
  await link(page, 'Agents').click();
  await expect(progress).toBeVisible();
  expect(Number(await page.evaluate(() => document.documentElement.dataset.waited))).toBeLessThan(2_000);
  open();
  await expect(page).toHaveURL('/agents');
  await expect(progress).toHaveCount(0);
});

test('offline, the page stays and says so, and the link is followed once there is a connection', async ({
  page,
  tenant,
  context,
}) => {
  await signIn(page, tenant, '/customers');
  await expect(page.getByRole('heading', { level: 1, name: 'Customers' })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await expectAccessible(page);
  await link(page, 'Agents').click();
  await expect(page.getByText('The page you chose opens when the connection is back.')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1, name: 'Customers' })).toBeVisible();
  await context.setOffline(false);
  await expect(page).toHaveURL('/agents');
  await expect(page.getByText('You are offline.')).toHaveCount(0);
});

test('where the server is away for a moment, the page stays and goes on by itself', async ({ page, tenant }) => {
  await signIn(page, tenant, '/customers');
  let isAway = true;
  await page.route('**/agents**', (route) =>
    isAway && isPage(route.request().headers()) ? route.abort('connectionrefused') : route.continue(),
  );
  await link(page, 'Agents').click();
  await expect(page.getByText('The server can’t be reached.')).toBeVisible();
  await expect(page).toHaveURL('/customers');
  isAway = false;
  await expect(page).toHaveURL('/agents');
  await expect(page.getByText('The server can’t be reached.')).toHaveCount(0);
});
