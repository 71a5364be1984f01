import type { Page } from '@playwright/test';
import { expectAccessible, signIn, untilHydrated } from '../support/browser';
import { row, rows, subject } from '../support/inbox';
import { deliverMail } from '../support/mail';
import { expect, test } from '../support/test';

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'Labels', exact: true }).last().click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

test('conversations get labels, are filtered by them, and lose those that are deleted', async ({ page, tenant, request }) => {
  for (const name of ['Second', 'First']) await deliverMail(request, tenant, { subject: `Mail of ${name}` });
  await signIn(page, tenant, '/inbox');
  await untilHydrated(page);
  await row(page, 'Mail of First').click();
  await expect(subject(page)).toHaveText('Mail of First');
  await page.keyboard.press('l');
  await page.getByRole('menuitem', { name: 'New label…' }).click();
  const dialog = page.getByRole('dialog', { name: 'New label' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Orders');
  await dialog.getByRole('combobox', { name: 'Color' }).selectOption('teal');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create label' }).click();
  await expect(row(page, 'Mail of First')).toContainText('Orders');
  await row(page, 'Mail of Second').click();
  await expect(subject(page)).toHaveText('Mail of Second');
  await choose(page, 'Orders');
  await expect(row(page, 'Mail of Second')).toContainText('Orders');
  await choose(page, 'Orders Remove');
  await expect(row(page, 'Mail of Second')).not.toContainText('Orders');

  await page.getByRole('button', { name: 'Label', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'Orders' }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(['Mail of First']);

  await page.goto('/settings/labels');
  await page.getByRole('link', { name: 'Orders' }).click();
  await page.getByRole('dialog', { name: 'Edit label' }).getByRole('button', { name: 'Delete label' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete label' }).click();
  await expect(page.getByText('No labels yet')).toBeVisible();
  await page.goto('/inbox');
  await expect(rows(page)).toHaveCount(2);
  await expect(row(page, 'Mail of First')).not.toContainText('Orders');
});

test('several conversations get a label at once, and that is undone', async ({ page, tenant, request }) => {
  const headers = { Authorization: `Bearer ${tenant.key}` };
  expect((await request.post('/api/v1/labels', { headers, data: { name: 'Orders' } })).status()).toBe(201);
  for (const name of ['Second', 'First']) await deliverMail(request, tenant, { subject: `Mail of ${name}` });
  await signIn(page, tenant, '/inbox');
  await untilHydrated(page);
  await page.getByRole('button', { name: 'Select conversations' }).click();
  await page.getByRole('checkbox', { name: 'Select all conversations' }).check();
  await choose(page, 'Orders');
  await expect(page.getByText('2 conversations labeled “Orders”')).toBeVisible();
  await expect(rows(page).filter({ hasText: 'Orders' })).toHaveCount(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(rows(page).filter({ hasText: 'Orders' })).toHaveCount(0);
});
