import type { Browser, Page } from '@playwright/test';
import { expect, test, within } from '../support/base-test';
import { expectAccessible, expectNoSidewaysScroll, signIn } from '../support/browser';
import { type OutsideDnsServer, startOutsideDnsServer } from '../support/dns-server';
import { type Installation, startInstallation } from '../support/installation';
import { type OutsideMailServer, startOutsideMailServer } from '../support/outside-mail-server';
import { createDesk, type Desk } from '../support/own-installation';

/** The panel of further addresses, as an owner proves them; what the server makes of it is in process/addresses.spec.ts. */

let outside: OutsideMailServer;
let dns: OutsideDnsServer;
let installation: Installation;
let desk: Desk;
let other: Desk;

test.describe.configure({ mode: 'serial' });

test.beforeAll(async () => {
  [outside, dns] = [await startOutsideMailServer(), await startOutsideDnsServer()];
  installation = await startInstallation({ settings: { SMTP_URL: outside.url, DNS_SERVERS: dns.address } });
  desk = await createDesk(installation);
  other = await createDesk(installation);
});

test.afterAll(async () => {
  await installation?.stop();
  await outside?.close();
  await dns?.close();
});

test('an address is added, proven by the code mailed to it, and can then be used', async ({ browser }) => {
  const page = await open(browser, { viewport: { width: 390, height: 844 } });
  const address = 'sales@by-code.example';
  await add(page, address);
  const row = rowOf(page, address);
  await expect(row).toContainText('Unverified');
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);

  await row.getByRole('button', { name: 'Send code' }).click();
  await expect(row.getByRole('textbox', { name: 'Code' })).toBeVisible();
  const mailed = () => outside.accepted.find(({ recipients }) => recipients.includes(address));
  await expect.poll(mailed).toBeTruthy();
  const code = /^\d{8}\r?$/m.exec(mailed()?.raw ?? '')?.[0].trim() ?? '';
  await row.getByRole('textbox', { name: 'Code' }).fill(code === '00000000' ? '11111111' : '00000000');
  await row.getByRole('button', { name: 'Confirm code' }).click();
  await expect(row.getByRole('textbox', { name: 'Code' })).toHaveAttribute('aria-invalid', 'true');
  await expect(row).toContainText('Unverified');
  await row.getByRole('textbox', { name: 'Code' }).fill(code);
  await row.getByRole('button', { name: 'Confirm code' }).click();
  await expect(row).not.toContainText('Unverified');
  await expect(row).toContainText('Verified');
  await expect(row.getByRole('button', { name: `Make ${address} the primary address` })).toBeVisible();
  await page.context().close();
});

test('an address is proven by a TXT record, which is shown to be copied', async ({ browser }) => {
  const page = await open(browser);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await add(page, 'hello@by-dns.example');
  const row = rowOf(page, 'hello@by-dns.example');
  await expect(row).toContainText('Add this TXT record at by-dns.example.');
  await row.getByRole('button', { name: 'Copy TXT record' }).click();
  const record = await page.evaluate(() => navigator.clipboard.readText());
  expect(record).toMatch(/^frontdesk-verification=\S+$/);
  await expect(row.getByText(record)).toBeVisible();
  await row.getByRole('button', { name: 'Check now' }).click();
  await expect(row).toContainText('has no frontdesk-verification record yet');
  await expectAccessible(page);
  dns.records.set('by-dns.example', [record]);
  // Checks right behind each other are refused.
  await expect(async () => {
    await row.getByRole('button', { name: 'Check now' }).click();
    await expect(row).not.toContainText('Unverified', { timeout: within(1) });
  }).toPass();
  await expect(row).toContainText('Verified');
  await page.context().close();
});

test('agents keep their addresses when another one becomes primary, and move when the owner says so', async ({ browser }) => {
  const page = await open(browser);
  const domains = page.getByRole('list', { name: 'Domains of agents' });
  const old = desk.address.slice(desk.address.lastIndexOf('@'));
  await page.getByRole('button', { name: 'Make hello@by-dns.example the primary address' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Make primary' }).click();
  await expect(rowOf(page, desk.address)).toBeVisible();
  await expect(domains).toContainText(old);
  await expect(domains).not.toContainText('@by-dns.example');
  await page.getByRole('button', { name: 'Move agents to @by-dns.example' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Move agents' }).click();
  await expect(domains).toContainText('@by-dns.example');
  await expect(domains).not.toContainText(old);

  await page.goto('/agents');
  await page.getByRole('link', { name: 'Inbox manager' }).click();
  await page.getByRole('tab', { name: 'Settings' }).click();
  const addresses = page.getByRole('list', { name: 'Email addresses' });
  await expect(addresses).toContainText(`inbox-manager${old}`);
  await expectAccessible(page);
  await page.getByRole('button', { name: `Remove inbox-manager${old}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove address' }).click();
  await expect(addresses).not.toContainText(`inbox-manager${old}`);
  await expect(addresses).toContainText('inbox-manager@by-dns.example');
  await page.context().close();
});

test('an address of another business is refused, and what was typed stays', async ({ browser }) => {
  const page = await open(browser);
  await page.getByRole('button', { name: 'Add alias' }).click();
  const form = page.getByRole('form', { name: 'Add alias' });
  await form.getByLabel('Email address').fill(other.address);
  await form.getByRole('button', { name: 'Add alias' }).click();
  await expect(form).toContainText('is in use');
  await expect(form.getByLabel('Email address')).toHaveValue(other.address);
  await expect(form.getByLabel('Label')).toHaveValue('hello');
  await expect(rowOf(page, other.address)).toHaveCount(0);
  await expectAccessible(page);
  await page.context().close();
});

/** The business page of a browser in which the owner has signed in just now. */
async function open(browser: Browser, options: { viewport?: { width: number; height: number } } = {}) {
  const page = await (await browser.newContext({ baseURL: installation.baseUrl, ...options })).newPage();
  await signIn(page, { owner: { userId: '', email: desk.email, password: desk.password } }, '/identity');
  return page;
}

async function add(page: Page, address: string): Promise<void> {
  await page.getByRole('button', { name: 'Add alias' }).click();
  const form = page.getByRole('form', { name: 'Add alias' });
  await form.getByLabel('Email address').fill(address);
  await form.getByRole('button', { name: 'Add alias' }).click();
  await expect(form).toHaveCount(0);
}

function rowOf(page: Page, address: string) {
  return page
    .getByRole('list', { name: 'Email aliases' })
    .getByRole('listitem')
    .filter({ has: page.getByText(address, { exact: true }) });
}
