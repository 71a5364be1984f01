import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, signIn } from '../support/browser';
import { failMail } from '../support/failed-mail';
import { deliverMail } from '../support/mail';
import { expect, type Tenant, test } from '../support/test';

const composer = (page: Page) => page.getByRole('form', { name: 'Reply' });
const messageField = (page: Page) => composer(page).getByRole('textbox', { name: 'Message' });
const recipients = (page: Page, name: 'To' | 'Cc') => composer(page).getByRole('list', { name }).getByRole('listitem');

async function messagesOf(request: APIRequestContext, { key }: Tenant, conversationId: string) {
  const response = await request.get(`/api/v1/conversations/${conversationId}/messages?direction=outbound`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  return (await response.json()).messages as { text: string; to: { email: string }[]; cc: { email: string }[] }[];
}

/** A mail to the tenant's agent with two more recipients, and its page. */
async function openThread(page: Page, request: APIRequestContext, tenant: Tenant): Promise<string> {
  const to = `inbox-manager@${tenant.handle}.localhost, Bob Hill <bob@quark.example>`;
  const mail = { to, subject: 'Opening hours', text: 'Open on Saturday?', headers: ['Cc: Cy <cy@quark.example>'] };
  const { conversationId } = await deliverMail(request, tenant, mail);
  await signIn(page, tenant, `/inbox/${conversationId}`);
  // From then on it answers to the keyboard.
  await expect(page.getByRole('button', { name: /^Reply to/ })).toBeVisible();
  return conversationId;
}

test('a reply goes to all, says so before, and quotes what it answers', async ({ page, tenant, request }) => {
  const conversationId = await openThread(page, request, tenant);
  await page.getByRole('button', { name: 'Reply to Ann Quark, Bob Hill…' }).click();
  await expect(messageField(page)).toBeFocused();
  await expect(composer(page).getByLabel('From')).toHaveValue(`inbox-manager@${tenant.handle}.localhost`);
  await expect(composer(page)).toContainText('They wrote to this address');
  await expect(composer(page)).toContainText('To 3 people');
  await expectAccessible(page);

  await messageField(page).fill('Yes, until four.');
  await page.keyboard.press('Control+Enter');
  await expect(composer(page)).toHaveCount(0);
  // The installation under test has no mail server to send through.
  await expect(page.getByText('Reply queued')).toBeVisible();
  await expect(page.getByRole('main').getByText('Yes, until four.').last()).toBeVisible();
  const [sent, ...others] = await messagesOf(request, tenant, conversationId);
  expect(others).toEqual([]);
  expect(sent?.to.map(({ email }) => email)).toEqual(['ann@quark.example']);
  expect(sent?.cc.map(({ email }) => email)).toEqual(['bob@quark.example', 'cy@quark.example']);
  expect(sent?.text).toContain('> Open on Saturday?');

  await page.reload();
  await expect(page.getByRole('button', { name: /^Reply to Ann Quark/ })).toBeVisible();
});

test('recipients are chips: a pasted list becomes several, what is no address is named and mended', async ({
  page,
  tenant,
  request,
}) => {
  const conversationId = await openThread(page, request, tenant);
  await page.keyboard.press('r');
  await expect(messageField(page)).toBeFocused();
  await composer(page).getByRole('button', { name: 'Reply to Ann Quark only' }).click();
  await expect(composer(page)).toContainText('To 1 person');
  await composer(page).getByRole('button', { name: 'Reply to all' }).click();
  await expect(composer(page)).toContainText('To 3 people');
  await composer(page).getByRole('button', { name: 'Remove Bob Hill' }).click();
  await composer(page).getByRole('button', { name: 'Remove Cy' }).click();
  const to = composer(page).getByRole('combobox', { name: 'To' });
  await to.fill('Di Hart <di@quark.example>, eve@quark.example; wrong');
  await to.press('Enter');
  await expect(recipients(page, 'To')).toHaveCount(4);
  await expect(composer(page)).toContainText('To 3 people');

  await messageField(page).fill('Yes.');
  await composer(page).getByRole('button', { name: 'Send', exact: true }).click();
  await expect(composer(page).getByText('“wrong” isn’t a valid email.')).toBeVisible();
  await composer(page).getByRole('button', { name: 'wrong', exact: true }).click();
  await to.fill('fay@quark.example');
  await composer(page).getByRole('checkbox', { name: 'Include previous message' }).uncheck();
  await composer(page).getByRole('button', { name: 'Send', exact: true }).click();
  await expect(composer(page)).toHaveCount(0);
  const [sent] = await messagesOf(request, tenant, conversationId);
  expect(sent?.to.map(({ email }) => email)).toEqual([
    'ann@quark.example',
    'di@quark.example',
    'eve@quark.example',
    'fay@quark.example',
  ]);
  expect(sent?.cc).toEqual([]);
  expect(sent?.text).not.toContain('Open on Saturday?');
});

test('a draft survives a reload, is followed by another tab, and comes back after it was discarded', async ({
  page,
  tenant,
  request,
  context,
}) => {
  const conversationId = await openThread(page, request, tenant);
  await page.keyboard.press('r');
  await messageField(page).fill('Yes, until four');
  await expect(composer(page).getByText('Draft saved')).toBeVisible();
  await page.reload();
  await expect(messageField(page)).toHaveValue('Yes, until four');

  const other = await context.newPage();
  await other.goto(`/inbox/${conversationId}`);
  await expect(messageField(other)).toHaveValue('Yes, until four');
  await messageField(page).fill('Yes, until five');
  await expect(messageField(other)).toHaveValue('Yes, until five');
  await other.close();

  await composer(page).getByRole('button', { name: 'Delete draft' }).click();
  await expect(composer(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(messageField(page)).toHaveValue('Yes, until five');
});

test('a reply that could not be handed in stays as it was typed', async ({ page, tenant, request }) => {
  const conversationId = await openThread(page, request, tenant);
  await page.keyboard.press('r');
  await messageField(page).fill('Yes, until four.');
  await page.route('**/api/trpc/conversations.reply**', (route) => route.abort());
  await composer(page).getByRole('button', { name: 'Send', exact: true }).click();
  await expect(composer(page).getByRole('alert')).toContainText('could not be reached');
  await expect(messageField(page)).toHaveValue('Yes, until four.');
  await page.unroute('**/api/trpc/conversations.reply**');
  await composer(page).getByRole('button', { name: 'Send', exact: true }).click();
  await expect(composer(page)).toHaveCount(0);
  expect(await messagesOf(request, tenant, conversationId)).toHaveLength(1);
});

test('a reply that was refused says why in the thread, and is sent again from there', async ({ page, tenant, request }) => {
  const { conversationId } = await deliverMail(request, tenant, { subject: 'Opening hours' });
  await request.post(`/api/v1/conversations/${conversationId}/messages`, {
    headers: { Authorization: `Bearer ${tenant.key}` },
    data: { text: 'Yes.' },
  });
  await failMail(tenant, 'Re: Opening hours', '550 5.1.1 Nobody of this name lives here');
  // This installation has no mail server; the page is told otherwise.
  await page.route(/\/api\/trpc\/.*mail\.outbox/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll('"canSend":false', '"canSend":true') });
  });
  await signIn(page, tenant, `/inbox/${conversationId}`);
  const alert = page.getByRole('article').getByRole('alert');
  await expect(alert).toContainText('550 5.1.1 Nobody of this name lives here');
  await expectAccessible(page);
  await alert.getByRole('button', { name: /^Retry/ }).click();
  await expect(page.getByRole('article').getByText('Queued')).toBeVisible();
  await expect(alert).toHaveCount(0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('the composer fits, however long its addresses are', async ({ page, tenant, request }) => {
    const to = `inbox-manager@${tenant.handle}.localhost, ${'x'.repeat(60)}@${'y'.repeat(60)}.example`;
    const { conversationId } = await deliverMail(request, tenant, { to });
    await signIn(page, tenant, `/inbox/${conversationId}`);
    await page.getByRole('button', { name: /^Reply to/ }).click();
    await expect(messageField(page)).toBeVisible();
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });
});
