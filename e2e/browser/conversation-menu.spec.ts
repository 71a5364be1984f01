import type { Page } from '@playwright/test';
import { expectAccessible, signIn, untilHydrated } from '../support/browser';
import { row, rows, subject } from '../support/inbox';
import { deliverMail } from '../support/mail';
import { expect, test } from '../support/test';

const menuItem = async (page: Page, name: string) => {
  await page.getByRole('button', { name: 'More actions', exact: true }).click();
  await page.getByRole('menuitem', { name }).click();
};

test('a conversation is printed, and a message is downloaded as a file', async ({ page, tenant, request }) => {
  await deliverMail(request, tenant, { subject: 'Mail of First' });
  await signIn(page, tenant, '/inbox');
  await untilHydrated(page);
  await row(page, 'Mail of First').click();
  await expect(subject(page)).toHaveText('Mail of First');
  const printed = page.waitForResponse(/\/print\?/);
  await menuItem(page, 'Print');
  expect((await printed).status()).toBe(200);
  const frame = page.frameLocator('iframe[title="Conversation to print"]');
  await expect(frame.getByRole('heading', { name: 'Mail of First', includeHidden: true })).toHaveCount(1);

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /^Actions on the message from/ }).click();
  await page.getByRole('menuitem', { name: 'Download as a file (.eml)' }).click();
  expect((await download).suggestedFilename()).toBe('Mail of First.eml');
});

test('a sender is blocked, and what it sends is spam until it is unblocked', async ({ page, tenant, request }) => {
  await deliverMail(request, tenant, { subject: 'Mail of First' });
  await signIn(page, tenant, '/inbox');
  await untilHydrated(page);
  await row(page, 'Mail of First').click();
  await expect(subject(page)).toHaveText('Mail of First');
  await menuItem(page, 'Block sender');
  await expect(page.getByText('ann@quark.example is blocked')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row(page, 'Mail of First')).toBeVisible();
  await row(page, 'Mail of First').click();
  await menuItem(page, 'Block sender');
  await expect(rows(page)).toHaveCount(0);
  await deliverMail(request, tenant, { subject: 'Mail of Second' });
  await page.goto('/inbox?view=spam');
  await expect(rows(page)).toContainText(['Mail of Second', 'Mail of First']);

  await page.goto('/settings/blocked-senders');
  await page.getByRole('button', { name: 'Block sender' }).click();
  const dialog = page.getByRole('dialog', { name: 'Block sender' });
  await dialog.getByRole('textbox').fill('not a sender');
  await dialog.getByRole('button', { name: 'Block sender' }).click();
  await expect(dialog.getByText(/must be an e-mail address, or a domain/)).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('textbox').fill('Shop.example');
  await dialog.getByRole('button', { name: 'Block sender' }).click();
  await expect(page.getByRole('row')).toContainText(['Sender', 'ann@quark.example', 'shop.example']);
  await page.getByRole('button', { name: 'Unblock ann@quark.example' }).click();
  await expect(page.getByText('ann@quark.example is no longer blocked')).toBeVisible();
  await deliverMail(request, tenant, { subject: 'Mail of Third' });
  await page.goto('/inbox');
  await expect(rows(page)).toContainText(['Mail of Third']);
});

test('conversations that wait longest are first', async ({ page, tenant, request }) => {
  for (const name of ['First', 'Second']) await deliverMail(request, tenant, { subject: `Mail of ${name}` });
  await signIn(page, tenant, '/inbox');
  await untilHydrated(page);
  await expect(rows(page)).toContainText(['Mail of Second', 'Mail of First']);
  await page.getByRole('button', { name: 'Order', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'Waiting longest' }).click();
  await expect(rows(page)).toContainText(['Mail of First', 'Mail of Second']);
  await expect(rows(page).first()).toContainText('Waiting');
  await row(page, 'Mail of First').click();
  await expect(subject(page)).toHaveText('Mail of First');
  await page.keyboard.press('e');
  await expect(rows(page)).toContainText(['Mail of Second']);
});
