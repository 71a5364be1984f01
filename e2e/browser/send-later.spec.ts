import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, signIn } from '../support/browser';
import { messages } from '../support/inbox';
import { deliverMail } from '../support/mail';
import { letUndo } from '../support/member';
import { expect, type Tenant, test } from '../support/test';

/** Taking back what was sent, and sending later. */

test.use({ locale: 'en-GB' });

const form = (page: Page, name: 'New email' | 'Reply' = 'Reply') => page.getByRole('form', { name });
const field = (page: Page, name: 'New email' | 'Reply' = 'Reply') => form(page, name).getByRole('textbox', { name: 'Message' });
const views = (page: Page) => page.getByRole('navigation', { name: 'Views' });

/** An email that came in, with a reply that is written and not sent. */
async function writeReply(
  page: Page,
  request: APIRequestContext,
  tenant: Tenant,
): Promise<{ conversationId: string; messageId: string }> {
  const messageId = `<${tenant.handle}@quark.example>`;
  const mail = { subject: 'Opening hours', text: 'Open on Saturday?', headers: [`Message-ID: ${messageId}`] };
  const { conversationId } = await deliverMail(request, tenant, mail);
  await signIn(page, tenant, `/inbox/${conversationId}`);
  await page.getByRole('button', { name: /^Reply to/ }).click();
  await field(page).fill('Yes, until four.');
  return { conversationId, messageId };
}

async function chooseLater(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Send later' }).click();
  await page.getByRole('menuitem', { name }).click();
}

test('a reply is taken back, and is in the composer as it was', async ({ page, tenant, request }) => {
  await letUndo(tenant);
  const { conversationId } = await writeReply(page, request, tenant);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByText('Reply queued')).toBeVisible();
  await expect(messages(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(messages(page)).toHaveCount(1);
  await expect(field(page)).toHaveValue('Yes, until four.');
  await expect(form(page).getByRole('checkbox', { name: 'Include previous message' })).toBeChecked();

  // It can be sent again, and taken back by the key, too.
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(messages(page)).toHaveCount(2);
  await expect(form(page)).toHaveCount(0);
  await page.keyboard.press('z');
  await expect(field(page)).toHaveValue('Yes, until four.');
  const sent = await request.get(`/api/v1/conversations/${conversationId}/messages?direction=outbound`, {
    headers: { Authorization: `Bearer ${tenant.key}` },
  });
  expect((await sent.json()).messages).toEqual([]);
});

test('a new email is taken back from wherever one is, and is a draft again', async ({ page, tenant }) => {
  await letUndo(tenant);
  await signIn(page, tenant, '/inbox/new');
  await form(page, 'New email').getByRole('combobox', { name: 'To' }).fill('ann@quark.example');
  await form(page, 'New email').getByRole('textbox', { name: 'Subject' }).fill('Your order');
  await field(page, 'New email').fill('It is ready.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your order' })).toBeVisible();
  await page.getByRole('link', { name: 'Customers' }).first().click();
  await expect(page).toHaveURL(/\/customers/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page).toHaveURL(/\/inbox\/new\?draft=/);
  await expect(form(page, 'New email').getByRole('textbox', { name: 'Subject' })).toHaveValue('Your order');
  await expect(field(page, 'New email')).toHaveValue('It is ready.');
  await expect(form(page, 'New email').getByRole('list', { name: 'To' }).getByRole('listitem')).toHaveText(['ann@quark.example']);
});

test('a reply is scheduled from the menu, listed, and cancelled', async ({ page, tenant, request }) => {
  await writeReply(page, request, tenant);
  await page.getByRole('button', { name: 'Send later' }).click();
  await expect(page.getByRole('menuitem', { name: 'Tomorrow morning' })).toContainText('08:00');
  await expectAccessible(page);
  await page.getByRole('menuitem', { name: 'Tomorrow morning' }).click();
  await expect(page.getByText(/^Scheduled for .*08:00/)).toBeVisible();
  await expect(messages(page).last()).toContainText(/Scheduled.*Will be sent .*08:00/s);
  await expectAccessible(page);

  await views(page).getByRole('link', { name: 'Scheduled 1' }).click();
  const listed = page.getByRole('list', { name: 'Scheduled emails' }).getByRole('listitem');
  await expect(listed).toHaveText([/Ann Quark.*08:00.*Re: Opening hours.*Unless they reply/s]);
  await expectAccessible(page);
  await page.reload();
  await listed.getByRole('link').click();
  await page.getByRole('button', { name: 'Cancel sending' }).click();
  await expect(field(page)).toHaveValue('Yes, until four.');
  await expect(messages(page)).toHaveCount(1);
  await expect(page.getByText('Nothing scheduled')).toBeVisible();
});

test('a time is chosen in a dialog, and a reply of the other side cancels', async ({ page, tenant, request }) => {
  const { messageId } = await writeReply(page, request, tenant);
  await chooseLater(page, /Choose date and time/);
  const dialog = page.getByRole('dialog', { name: 'Send later' });
  await dialog.getByLabel('Date').fill('2020-01-01');
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await expect(dialog.getByText('must be in the future')).toBeVisible();
  await expectAccessible(page);
  const date = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  await dialog.getByLabel('Date').fill(date);
  await dialog.getByLabel('Time').fill('16:45');
  await dialog.getByRole('button', { name: 'Schedule' }).click();
  await expect(messages(page).last()).toContainText(/Will be sent .*16:45/);

  const answer = { subject: 'Re: Opening hours', text: 'Found it.', headers: [`In-Reply-To: ${messageId}`] };
  await deliverMail(request, tenant, answer);
  await expect(messages(page).last()).toContainText('Found it.');
  await expect(page.getByText(/Will be sent/)).toHaveCount(0);
  await expect(field(page)).toHaveValue('Yes, until four.');
  await page
    .getByRole('button', { name: /^Notifications/ })
    .first()
    .click();
  await expect(page.getByText('Not sent, because they replied: Re: Opening hours')).toBeVisible();
});

test('the time to undo is a setting of the profile', async ({ page, tenant }) => {
  await signIn(page, tenant, '/settings/profile');
  const choice = page.getByLabel('Undo sending');
  await expect(choice).toHaveValue('0');
  await choice.selectOption('20');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Profile saved')).toBeVisible();
  await page.reload();
  await expect(choice).toHaveValue('20');
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('sending later fits', async ({ page, tenant, request }) => {
    await writeReply(page, request, tenant);
    await chooseLater(page, /Tomorrow afternoon/);
    await expect(messages(page).last()).toContainText(/Will be sent .*13:00/);
    await expectNoSidewaysScroll(page);
    await page.goto('/inbox?view=scheduled');
    await expect(page.getByRole('list', { name: 'Scheduled emails' })).toContainText('13:00');
    await expectNoSidewaysScroll(page);
  });
});
