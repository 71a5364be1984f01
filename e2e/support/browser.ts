import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { within } from '@/server/testing/patience';
import type { Tenant } from './test';

/** Signs in as the tenant's owner, with the same requests as the form, and opens the given page. */
export async function signIn(page: Page, { owner }: Pick<Tenant, 'owner'>, path = '/'): Promise<void> {
  // A page that is still open learns that its session has ended, and goes to sign-in by itself.
  if (page.url() !== 'about:blank') await page.goto('about:blank');
  const { csrfToken } = await (await page.request.get('/api/auth/csrf')).json();
  const form = { email: owner.email, password: owner.password, csrfToken, callbackUrl: '/', json: 'true' };
  const answer = await page.request.post('/api/auth/callback/credentials', { form });
  expect(answer.status()).toBe(200);
  await page.goto(path);
  expect(new URL(page.url()).pathname).toBe(path.split('?')[0]);
}

/** Fails unless navigation leads to sign-in, because the session has ended. */
export async function expectSignedOut(page: Page): Promise<void> {
  // An open page polls and may already be navigating there, which interrupts this.
  await page.goto('/agents').catch(() => undefined);
  await expect(page).toHaveURL(/\/sign-in/);
}

/** Resolves once the page is hydrated. Its times show that: they use the viewer's clock only from then on. */
export async function untilHydrated(page: Page): Promise<void> {
  await expect(page.locator('time [aria-hidden]').first()).toHaveText(/just now|ago$/);
}

/** Collects what the browser reports: script errors, blocked content, failed requests. */
export function collectBrowserErrors(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    // axe tries to access the editor's preview, a frame without scripts.
    if (message.text().startsWith("Blocked script execution in 'about:srcdoc'")) return;
    if (message.type() === 'error') complaints.push(`${page.url()}: ${message.text()}`);
  });
  return complaints;
}

/** Collects other hosts than the installation's that the page requests anything from. */
export function collectForeignHosts(page: Page, baseUrl: string): string[] {
  const foreign: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== new URL(baseUrl).origin) foreign.push(url.host);
  });
  return foreign;
}

async function accessibilityFaults(page: Page, rules: string[] = []): Promise<string[]> {
  // A mail's frame runs no scripts, so axe would wait for it forever; its content is the sender's. Legacy mode, which sees no
  // frames of other origins, takes half the time: the other one opens a page of its own for each result. Nor does it describe what
  // is right.
  const axe = new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .exclude('iframe[sandbox]')
    .setLegacyMode(true);
  const { violations } = await (rules.length > 0 ? axe.withRules(rules) : axe).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`);
}

/** Fails with the rules and elements that axe reports once the page has settled. */
export async function expectAccessible(page: Page): Promise<void> {
  await expect.poll(() => accessibilityFaults(page), { message: page.url(), timeout: within(8) }).toEqual([]);
}

/** `expectAccessible` in light and in dark. The themes differ only in colors, so the second run checks nothing else. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  const faults = () => accessibilityFaults(page, ['color-contrast', 'link-in-text-block']);
  await expect.poll(faults, { message: `${page.url()} in dark`, timeout: within(8) }).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** Fails if the page, narrowed to a phone, is wider than the window. */
export async function expectFitsPhone(page: Page): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  if (before) await page.setViewportSize(before);
}

/** Fails if the page is wider than the window, so that people would have to scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { scrollWidth, clientWidth } = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return { scrollWidth, clientWidth };
  });
  expect(scrollWidth, page.url()).toBeLessThanOrEqual(clientWidth);
}
