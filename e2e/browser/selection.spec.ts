import type { Page } from '@playwright/test';
import { expectAccessible, expectFitsPhone, signIn, untilHydrated } from '../support/browser';
import { row, rows, subject } from '../support/inbox';
import { deliverMail } from '../support/mail';
import { expect, test } from '../support/test';

const view = (page: Page, name: string) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name });
const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected conversations' });
const box = (page: Page, text: string) => row(page, text).getByRole('checkbox');

test('several conversations are chosen and changed, and that is undone', async ({ page, tenant, request }) => {
  for (const name of ['Fourth', 'Third', 'Second', 'First']) await deliverMail(request, tenant, { subject: `Mail of ${name}` });
  await signIn(page, tenant, '/inbox');
  await untilHydrated(page);
  await box(page, 'First').check();
  await expect(page.getByText('1 selected')).toBeVisible();
  await box(page, 'Third').click({ modifiers: ['Shift'] });
  await expect(page.getByText('3 selected')).toBeVisible();
  await expectAccessible(page);
  await bar(page).getByRole('button', { name: 'Archive' }).click();
  await expect(page.getByText('3 conversations archived')).toBeVisible();
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(rows(page)).toHaveCount(4);

  await page.getByRole('button', { name: 'Select conversations' }).click();
  await page.getByRole('checkbox', { name: 'Select all conversations' }).check();
  await expect(page.getByText('4 selected')).toBeVisible();
  await page.keyboard.press('u');
  await expect(page.getByText('4 conversations marked as read')).toBeVisible();
  await expect(view(page, 'Unread')).toHaveText('Unread');
  await expect(bar(page)).toHaveCount(0);

  await row(page, 'First').click();
  await expect(subject(page)).toHaveText('Mail of First');
  await page.keyboard.press('x');
  await box(page, 'Second').check();
  await page.keyboard.press('#');
  await expect(page.getByText('2 conversations moved to trash')).toBeVisible();
  await expect(rows(page)).toHaveCount(2);
  await view(page, 'Trash').click();
  // Until they are there, the list shows those of before.
  await expect(row(page, 'First')).toBeVisible();
  await page.getByRole('button', { name: 'Select conversations' }).click();
  await page.getByRole('checkbox', { name: 'Select all conversations' }).check();
  await bar(page).getByRole('button', { name: 'Restore' }).click();
  await expect(page.getByText('Trash is empty')).toBeVisible();
  await view(page, 'Inbox').click();
  await expect(rows(page)).toHaveCount(4);
});

test('on a phone, chosen conversations are snoozed and assigned', async ({ page, tenant, request }) => {
  for (const name of ['Third', 'Second', 'First']) await deliverMail(request, tenant, { subject: `Mail of ${name}` });
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, tenant, '/inbox');
  await untilHydrated(page);
  await page.getByRole('button', { name: 'Select conversations' }).click();
  await box(page, 'First').check();
  await box(page, 'Second').check();
  await expectFitsPhone(page);
  await bar(page).getByRole('button', { name: 'Assign' }).click();
  await page.getByRole('menuitem', { name: 'Me', exact: true }).click();
  await expect(page.getByText(/^2 conversations assigned to /)).toBeVisible();
  await page.getByRole('button', { name: 'Select conversations' }).click();
  await box(page, 'First').check();
  await bar(page).getByRole('button', { name: 'Snooze' }).click();
  await page.getByRole('menuitem', { name: 'Tomorrow morning' }).click();
  await expect(rows(page)).toHaveCount(2);
  await view(page, 'Snoozed').click();
  await expect(rows(page)).toContainText(['Mail of First']);
});
