import type { Request, Response } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, signIn, untilHydrated } from '../support/browser';
import { messages, row, rows, subject } from '../support/inbox';
import { deliverMail } from '../support/mail';
import { expect, type Tenant, test } from '../support/test';

const headersOf = ({ key }: Tenant) => ({ Authorization: `Bearer ${key}` });

test('the first mail appears by itself, is read when it is opened, and unread again when asked', async ({
  page,
  tenant,
  request,
}) => {
  await signIn(page, tenant, '/inbox');
  await expect(subject(page)).toHaveText('Inbox');
  await expect(rows(page)).toHaveCount(0);
  const { conversationId } = await deliverMail(request, tenant, { subject: 'Brakes squeal', text: 'Good morning' });
  await expect(rows(page)).toContainText(['Ann Quark']);
  await expect(rows(page)).toContainText(['Unread.']);
  await expect(page).toHaveTitle('(1) Inbox · Frontdesk');

  await row(page, 'Brakes squeal').click();
  await expect(page).toHaveURL(`/inbox/${conversationId}`);
  await expect(messages(page)).toContainText(['Good morning']);
  await expect(page).toHaveTitle('Brakes squeal · Frontdesk');
  await expect(rows(page)).not.toContainText(['Unread.']);
  const stored = async () =>
    (await (await request.get(`/api/v1/conversations/${conversationId}`, { headers: headersOf(tenant) })).json()).isRead;
  await expect.poll(stored).toBe(true);

  await page.getByRole('button', { name: 'Mark as unread' }).click();
  await expect(page).toHaveURL('/inbox');
  await expect(rows(page)).toContainText(['Unread.']);
  await expect.poll(stored).toBe(false);
});

test('keys walk along the list, archive with a way back, and leave typing alone', async ({ page, tenant, request }) => {
  for (const name of ['Third', 'Second', 'First']) {
    await deliverMail(request, tenant, { from: `${name} <${name.toLowerCase()}@quark.example>`, subject: `Mail of ${name}` });
  }
  await signIn(page, tenant, '/inbox');
  await expect(rows(page)).toHaveCount(3);
  await untilHydrated(page);
  await page.keyboard.press('j');
  await expect(subject(page)).toHaveText('Mail of First');
  await page.keyboard.press('j');
  await expect(subject(page)).toHaveText('Mail of Second');
  await page.keyboard.press('k');
  await expect(subject(page)).toHaveText('Mail of First');

  await page.keyboard.press('e');
  await expect(subject(page)).toHaveText('Mail of Second');
  await expect(row(page, 'Mail of First')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row(page, 'Mail of First')).toHaveCount(1);

  await page.keyboard.press('/');
  await page.keyboard.type('je!');
  await expect(page).toHaveURL(/q=je/);
  await expect(page.getByText('No results')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await expect(rows(page)).toHaveCount(3);
  await expect(subject(page)).toHaveText('Mail of Second');

  await subject(page).click();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/inbox');
});

test('a key pressed while a conversation loads is for that one, and none for the one before it', async ({
  page,
  tenant,
  request,
}) => {
  let conversationId = '';
  for (const name of ['Fourth', 'Third', 'Second', 'First']) {
    ({ conversationId } = await deliverMail(request, tenant, { subject: `Mail of ${name}` }));
  }
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  // Before the page is opened: one that is there already may send its next request past a new route.
  await page.route(/\/inbox\/[^/]+_rsc=/, (route) => released.then(() => route.continue()));
  await signIn(page, tenant, '/inbox');
  await untilHydrated(page);
  const isLoading = (name: string) => expect(row(page, `Mail of ${name}`).getByRole('link')).toHaveAttribute('aria-current', /./);

  await page.keyboard.press('j');
  await isLoading('First');
  await page.keyboard.press('e');
  // Meanwhile another one is opened: what was pressed for the first one is not for it.
  await row(page, 'Mail of Third').click();
  await isLoading('Third');
  await page.keyboard.press('#');
  release();
  await expect(page.getByText('Moved to trash')).toBeVisible();
  await expect(subject(page)).toHaveText('Mail of Fourth');
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page)).toContainText(['Mail of First', 'Mail of Second', 'Mail of Fourth']);

  // With a conversation on the page, too.
  await page.keyboard.press('k');
  await page.keyboard.press('#');
  await expect(subject(page)).toHaveText('Mail of Fourth');
  await expect(rows(page)).toContainText(['Mail of First', 'Mail of Fourth']);
  await expect(rows(page)).toHaveCount(2);

  // Opening marks as read, and "unread" does not overtake that.
  const marking = (isRead: boolean) => (exchange: Request | Response) => {
    const sent = 'request' in exchange ? exchange.request() : exchange;
    return sent.postData()?.startsWith(`{"conversationId":"${conversationId}","isRead":${isRead}`) === true;
  };
  const [read, unread] = [page.waitForResponse(marking(true)), page.waitForResponse(marking(false))];
  let overtaking: Promise<Response> | undefined;
  await page.route(/conversations\.update/, async (route) => {
    if (marking(false)(route.request())) overtaking = unread;
    if (marking(true)(route.request())) {
      await page.waitForURL('/inbox');
      await overtaking;
    }
    await route.continue();
  });
  await page.keyboard.press('k');
  await page.keyboard.press('u');
  await Promise.all([read, unread]);
  const stored = await request.get(`/api/v1/conversations/${conversationId}`, { headers: headersOf(tenant) });
  expect(await stored.json()).toMatchObject({ subject: 'Mail of First', isRead: false });
});

test('archived conversations and spam have views of their own, and filters stay in the address', async ({
  page,
  tenant,
  request,
}) => {
  const archived = await deliverMail(request, tenant, { subject: 'Old offer' });
  const spam = await deliverMail(request, tenant, { subject: 'You have won' });
  await deliverMail(request, tenant, { subject: 'Open question' });
  const headers = headersOf(tenant);
  await request.patch(`/api/v1/conversations/${archived.conversationId}`, { headers, data: { isArchived: true } });
  await request.patch(`/api/v1/conversations/${spam.conversationId}`, { headers, data: { isSpam: true, status: 'completed' } });
  await signIn(page, tenant, '/inbox');
  const views = page.getByRole('navigation', { name: 'Views' });
  await expect(rows(page)).toContainText(['Open question']);
  await expect(rows(page)).toHaveCount(1);
  await views.getByRole('link', { name: 'Archived' }).click();
  await expect(rows(page)).toContainText(['Old offer']);
  await expect(rows(page)).toHaveCount(1);
  await views.getByRole('link', { name: 'Spam' }).click();
  await expect(rows(page)).toContainText(['You have won']);
  await expect(rows(page)).toHaveCount(1);

  await page.getByRole('button', { name: 'Status' }).click();
  await page.getByRole('menuitemradio', { name: 'Done' }).click();
  await expect(page).toHaveURL('/inbox?view=spam&status=completed');
  await row(page, 'You have won').click();
  await expect(page).toHaveURL(`/inbox/${spam.conversationId}?view=spam&status=completed`);
  await page.getByRole('button', { name: 'Not spam' }).click();
  await expect(page).toHaveURL('/inbox?view=spam&status=completed');
  await expect(page.getByText('No results')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Status: Done' })).toBeVisible();
});

test('beside the thread stands whom it is with, and how to make them a customer', async ({ page, tenant, request }) => {
  const { conversationId } = await deliverMail(request, tenant, { subject: 'First question' });
  const earlier = await deliverMail(request, tenant, { subject: 'Another question' });
  await signIn(page, tenant, `/inbox/${conversationId}`);
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details).toContainText('ann@quark.example');
  await expect(details.getByRole('link', { name: /Another question/ })).toHaveAttribute(
    'href',
    `/inbox/${earlier.conversationId}`,
  );
  await details.getByRole('link', { name: 'Add as customer' }).click();
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('ann@quark.example');
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Ann Quark');
  await page.getByRole('textbox', { name: 'Company' }).fill('Quark Labs');
  await page.getByRole('button', { name: 'Create customer' }).click();
  await expect(subject(page)).toHaveText('Quark Labs');

  await page.goto(`/inbox/${conversationId}`);
  await expect(details.getByRole('link', { name: 'Quark Labs' })).toBeVisible();
});

test('what another identity owns is not found', async ({ page, tenant, createTenant, request }) => {
  const foreign = await createTenant();
  const { conversationId } = await deliverMail(request, foreign, { subject: 'Secret plan' });
  await signIn(page, tenant, '/inbox');
  await page.goto(`/inbox/${conversationId}`);
  await expect(subject(page)).toHaveText('Conversation not found');
  await expect(page.getByText('Secret plan')).toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('list, thread and details are pages of their own', async ({ page, tenant, request }) => {
    const long = 'Verylongsubjectwithoutanyspaces'.repeat(6);
    const { conversationId } = await deliverMail(request, tenant, { subject: long, text: long });
    await signIn(page, tenant, '/inbox');
    await expect(rows(page)).toHaveCount(1);
    await expectNoSidewaysScroll(page);
    await rows(page).click();
    await expect(page).toHaveURL(`/inbox/${conversationId}`);
    await expect(subject(page)).toHaveText(long);
    await expect(rows(page)).toBeHidden();
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Details' }).click();
    const details = page.getByRole('dialog', { name: 'Details' });
    await expect(details).toContainText('ann@quark.example');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(details).toHaveCount(0);
    await page.getByRole('link', { name: 'Inbox' }).first().click();
    await expect(rows(page)).toBeVisible();
  });
});

test('a search finds words in messages and files, by operators, and says what is wrong with one', async ({
  page,
  tenant,
  request,
}) => {
  await deliverMail(request, tenant, { subject: 'Invoice', text: 'For the second quarter.' });
  await deliverMail(request, tenant, { subject: 'Plan', text: 'The invoice follows.' });
  await signIn(page, tenant, '/inbox');
  await untilHydrated(page);
  const field = page.getByRole('searchbox', { name: 'Search conversations' });
  await field.fill('quarter');
  await expect(rows(page)).toContainText(['Invoice']);
  await expect(rows(page)).toHaveCount(1);
  await field.fill('invoice');
  await expect(rows(page)).toContainText(['Invoice', 'Plan']);
  await page.getByRole('button', { name: 'Order' }).click();
  await page.getByRole('menuitemradio', { name: 'Newest first' }).click();
  await expect(rows(page)).toContainText(['Plan', 'Invoice']);
  await field.fill('subject:invoice from:ann');
  await expect(rows(page)).toContainText(['Invoice']);
  await expect(rows(page)).toHaveCount(1);
  await field.fill('invoice after:soon');
  await expect(page.getByText('It has “after:” without a date such as 2026-11-30.')).toBeVisible();
  await expectAccessible(page);
  await field.fill('invoice after:2026-01-01');
  await expect(rows(page)).toHaveCount(2);
});

test('a search looks in all folders and says where it found something', async ({ page, tenant, request }) => {
  const headers = { Authorization: `Bearer ${tenant.key}` };
  const to = `inbox-manager@${tenant.handle}.localhost`;
  const ids: Record<string, string> = {};
  for (const name of ['Open', 'Archived', 'Spam'])
    ids[name] = (await deliverMail(request, tenant, { to, subject: `${name} offer` })).conversationId;
  await request.patch(`/api/v1/conversations/${ids.Archived}`, { headers, data: { isArchived: true } });
  await request.patch(`/api/v1/conversations/${ids.Spam}`, { headers, data: { isSpam: true } });
  await signIn(page, tenant, '/inbox');
  const list = rows(page);
  await expect(list).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('offer');
  await expect(list).toHaveCount(3);
  await expect(list.filter({ hasText: 'Archived offer' }).getByText('Archived', { exact: true })).toBeVisible();
  await expect(list.filter({ hasText: 'Spam offer' }).getByText('Spam', { exact: true })).toBeVisible();
  await expect(page.getByText('Includes archived conversations')).toBeVisible();
  const tab = page.getByRole('navigation', { name: 'Views' }).locator('[aria-current]');
  await expect(tab).toHaveText('All');
  await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Spam' }).click();
  await expect(list).toHaveCount(1);
  await expect(tab).toHaveText('Spam');

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search for pages, actions and records' }).fill('spam offer');
  const option = page.getByRole('option', { name: /Spam offer/ });
  await expect(option).toContainText('Spam · ');
  await expect(option).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(ids.Spam ?? 'none'));
});
