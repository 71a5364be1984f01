import type { Page } from '@playwright/test';
import { expectAccessible, signIn, untilHydrated } from '../support/browser';
import { row, rows, subject } from '../support/inbox';
import { deliverMail } from '../support/mail';
import { expect, test } from '../support/test';

const views = (page: Page) => page.getByRole('navigation', { name: 'Views' });

test('a deleted conversation lies in the trash, comes back, and goes forever', async ({ page, tenant, request }) => {
  for (const name of ['Third', 'Second', 'First']) await deliverMail(request, tenant, { subject: `Mail of ${name}` });
  await signIn(page, tenant, '/inbox');
  await untilHydrated(page);
  await row(page, 'Mail of First').click();
  await expect(subject(page)).toHaveText('Mail of First');
  await page.keyboard.press('#');
  await expect(subject(page)).toHaveText('Mail of Second');
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(rows(page)).toHaveCount(3);

  await page.getByRole('button', { name: 'Move to trash' }).click();
  await expect(rows(page)).toHaveCount(2);
  await views(page).getByRole('link', { name: 'Trash' }).click();
  await expect(rows(page)).toContainText(['Mail of Second']);
  await expect(page.getByText('Permanently deleted after 30 days.')).toBeVisible();
  await row(page, 'Mail of Second').click();
  await expect(page.getByText(/^Will be deleted /)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText('Trash is empty')).toBeVisible();

  await views(page).getByRole('link', { name: 'Inbox' }).click();
  await row(page, 'Mail of Third').click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete forever…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete forever' }).click();
  await expect(page.getByText('Deleted forever')).toBeVisible();
  await expect(row(page, 'Mail of Third')).toHaveCount(0);
  await expect(rows(page)).toHaveCount(2);
});

test('all from one sender go at once, and the trash is emptied', async ({ page, tenant, request }) => {
  for (const subject of ['Win', 'Win more']) await deliverMail(request, tenant, { from: 'Eve <eve@far.example>', subject });
  await deliverMail(request, tenant, { subject: 'Brakes squeal' });
  await signIn(page, tenant, '/inbox');
  await untilHydrated(page);
  await row(page, 'Win more').click();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete all from this sender…' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Move to trash' }).click();
  await expect(page.getByText('2 conversations moved to trash')).toBeVisible();
  await expect(rows(page)).toContainText(['Brakes squeal']);
  await expect(rows(page)).toHaveCount(1);

  await views(page).getByRole('link', { name: 'Trash' }).click();
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Empty trash' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Empty trash' }).click();
  await expect(page.getByText('2 conversations deleted forever')).toBeVisible();
  await expect(page.getByText('Trash is empty')).toBeVisible();
});
