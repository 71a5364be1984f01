import type { Page } from '@playwright/test';
import { expectAccessible, expectFitsPhone, signIn, untilHydrated } from '../support/browser';
import { messages, row, rows, subject } from '../support/inbox';
import { deliverMail } from '../support/mail';
import { expect, test } from '../support/test';

const view = (page: Page, name: string) => page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name });

test('a snoozed conversation leaves the inbox, has a view, and comes back', async ({ page, tenant, request }) => {
  for (const name of ['Third', 'Second', 'First']) await deliverMail(request, tenant, { subject: `Mail of ${name}` });
  await signIn(page, tenant, '/inbox');
  await untilHydrated(page);
  await expect(view(page, 'Snoozed')).toHaveCount(0);
  await row(page, 'Mail of First').click();
  await expect(subject(page)).toHaveText('Mail of First');
  await page.keyboard.press('b');
  await page.getByRole('menuitem', { name: 'Tomorrow morning' }).click();
  await expect(subject(page)).toHaveText('Mail of Second');
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(rows(page)).toHaveCount(3);
  await expect(view(page, 'Snoozed')).toHaveCount(0);

  await page.getByRole('button', { name: 'Snooze', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Choose date and time…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Snooze' });
  await dialog.getByLabel('Time').fill('09:45');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Snooze' }).click();
  await expect(rows(page)).toHaveCount(2);
  await view(page, 'Snoozed').click();
  await expect(rows(page)).toContainText(['Mail of Second']);
  await expect(rows(page)).toContainText([/Until /]);
  await row(page, 'Mail of Second').click();
  await expect(page.getByRole('main').getByText(/^Until .*9:45/)).toBeVisible();
  await page.getByRole('button', { name: 'Move to inbox' }).click();
  await expect(page.getByText('Nothing is snoozed')).toBeVisible();
  await view(page, 'Inbox').click();
  await expect(rows(page)).toHaveCount(3);
});

test('buttons open the next and the previous conversation', async ({ page, tenant, request }) => {
  for (const name of ['Second', 'First']) await deliverMail(request, tenant, { subject: `Mail of ${name}` });
  await signIn(page, tenant, '/inbox');
  await untilHydrated(page);
  await row(page, 'Mail of First').click();
  await expect(subject(page)).toHaveText('Mail of First');
  await expect(page.getByRole('button', { name: 'Previous conversation' })).toBeDisabled();
  await page.getByRole('button', { name: 'Next conversation' }).click();
  await expect(subject(page)).toHaveText('Mail of Second');
  await expect(page.getByRole('button', { name: 'Next conversation' })).toBeDisabled();
  await page.getByRole('button', { name: 'Previous conversation' }).click();
  await expect(subject(page)).toHaveText('Mail of First');
});

test('a conversation is unread from a message on, also on a phone', async ({ page, tenant, request }) => {
  const id = `<brakes@${tenant.handle}.example>`;
  const first = await deliverMail(request, tenant, { subject: 'Brakes', headers: [`Message-ID: ${id}`] });
  await deliverMail(request, tenant, { subject: 'Re: Brakes', headers: [`In-Reply-To: ${id}`] });
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, tenant, `/inbox/${first.conversationId}`);
  await expect(messages(page)).toHaveCount(2);
  await expectFitsPhone(page);
  await messages(page).first().getByRole('button', { name: 'Actions on the message from' }).click();
  await page.getByRole('menuitem', { name: 'Mark as unread from here' }).click();
  await expect(rows(page)).toContainText([/Unread\./]);
});
