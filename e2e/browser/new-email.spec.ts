import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, signIn } from '../support/browser';
import { deliverMail } from '../support/mail';
import { expect, type Tenant, test } from '../support/test';

const form = (page: Page, name: 'New email' | 'Reply' = 'New email') => page.getByRole('form', { name });
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });
const files = (page: Page) => form(page).getByRole('list', { name: 'Attachments' }).getByRole('listitem');
const offer = { name: 'offer.pdf', mimeType: 'application/pdf', buffer: Buffer.from('An offer.') };
const uploadRoute = '**/api/trpc/conversations.uploadAttachment**';

/** Opens a new email to Ann with a subject and a text. */
async function write(page: Page, tenant: Tenant): Promise<void> {
  await signIn(page, tenant, '/inbox/new');
  await form(page).getByRole('combobox', { name: 'To' }).fill('ann@quark.example');
  await form(page).getByRole('textbox', { name: 'Subject' }).fill('Your order');
  await form(page).getByRole('textbox', { name: 'Message' }).fill('It is ready.');
}

async function pick(page: Page, ...picked: (typeof offer)[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Attach files' }).click();
  await (await chooser).setFiles(picked);
}

/** Drops a file on the page, or pastes one into its text. */
async function bring(page: Page, how: 'drop' | 'paste', name: string): Promise<void> {
  const data = await page.evaluateHandle((filename) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['abc'], filename, { type: 'image/png' }));
    return transfer;
  }, name);
  if (how === 'drop') {
    await page.dispatchEvent('main', 'dragover', { dataTransfer: data });
    await expect(page.getByText('Drop files to attach them')).toBeVisible();
    await page.dispatchEvent('main', 'drop', { dataTransfer: data });
    return;
  }
  const field = page.getByRole('textbox', { name: 'Message' });
  await field.evaluate(
    (element, clipboardData) => element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true })),
    data,
  );
}

async function sentMessages(request: APIRequestContext, { key }: Tenant, conversationId: string) {
  const response = await request.get(`/api/v1/conversations/${conversationId}/messages?includeAttachments=true`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  const { messages } = await response.json();
  return messages as { to: object[]; bcc: object[]; subject: string; attachments: { filename: string; downloadUrl: string }[] }[];
}

test('an email is written to a contact, with files that are picked, dropped and pasted', async ({ page, tenant, request }) => {
  await deliverMail(request, tenant, { subject: 'Hello' });
  await signIn(page, tenant, '/inbox');
  await page.getByRole('link', { name: 'New email' }).click();
  await expect(page).toHaveURL(/\/inbox\/new\?draft=/);
  const to = form(page).getByRole('combobox', { name: 'To' });
  await expect(to).toBeFocused();
  await page.keyboard.type('ann');
  await expect(page.getByRole('option', { name: /Ann Quark/ })).toHaveAttribute('aria-selected', 'true');
  await expectAccessible(page);
  await page.keyboard.press('Tab');
  await expect(form(page).getByRole('list', { name: 'To' }).getByRole('listitem')).toHaveText(['Ann Quark']);
  await form(page).getByRole('button', { name: 'Bcc', exact: true }).click();
  await page.keyboard.type('cy@quark.example,');
  await expect(form(page)).toContainText('To 2 people');
  await form(page).getByRole('textbox', { name: 'Message' }).fill('It is ready.');
  await pick(page, offer);
  await bring(page, 'drop', 'dropped.png');
  await bring(page, 'paste', 'pasted.png');
  await expect(files(page)).toHaveCount(3);
  await expect(files(page).filter({ hasText: '3 B' })).toHaveCount(2);

  await send(page).click();
  await expect(form(page).getByText('Add a subject.')).toBeVisible();
  await form(page).getByRole('textbox', { name: 'Subject' }).fill('Your order');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Your order' })).toBeVisible();
  await expect(page.getByText('Email queued')).toBeVisible();
  await expect(page.getByRole('link', { name: /offer.pdf/ })).toBeVisible();

  const conversationId = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const [sent, ...others] = await sentMessages(request, tenant, conversationId);
  expect(others).toEqual([]);
  expect(sent).toMatchObject({
    subject: 'Your order',
    to: [{ email: 'ann@quark.example', displayName: 'Ann Quark' }],
    bcc: [{ email: 'cy@quark.example' }],
  });
  expect(sent?.attachments.map(({ filename }) => filename).sort()).toEqual(['dropped.png', 'offer.pdf', 'pasted.png']);
  const stored = sent?.attachments.find(({ filename }) => filename === 'offer.pdf');
  const download = await request.get(stored?.downloadUrl ?? '', { headers: { Authorization: `Bearer ${tenant.key}` } });
  expect(await download.text()).toBe('An offer.');

  await page.keyboard.press('n');
  await expect(form(page).getByRole('textbox', { name: 'Subject' })).toHaveValue('');
});

test('an upload can be cancelled, and tried again after it failed; without it, nothing is sent', async ({ page, tenant }) => {
  await write(page, tenant);
  // Not answered until the page has cancelled it.
  await page.route(uploadRoute, () => undefined);
  await pick(page, offer);
  await expect(form(page).getByText('Uploading 1 file…')).toBeVisible();
  await expect(send(page)).toBeDisabled();
  await form(page).getByRole('textbox', { name: 'Message' }).press('Control+Enter');
  await page.getByRole('button', { name: 'Cancel the upload of offer.pdf' }).click();
  await expect(files(page)).toHaveCount(0);
  await expect(send(page)).toBeEnabled();

  await page.unroute(uploadRoute);
  await page.route(uploadRoute, (route) => route.abort());
  await pick(page, offer, { ...offer, name: 'empty.txt', buffer: Buffer.alloc(0) });
  await expect(files(page).filter({ hasText: 'could not be reached' })).toHaveCount(1);
  await expect(files(page).filter({ hasText: 'The file is empty.' })).toHaveCount(1);
  await expect(form(page).getByText('Remove files that can’t be attached')).toBeVisible();
  await expectAccessible(page);
  await page.unroute(uploadRoute);
  await page.getByRole('button', { name: 'Upload offer.pdf again' }).click();
  await page.getByRole('button', { name: 'Remove empty.txt' }).click();
  await expect(files(page)).toHaveText([/offer\.pdf.*9 B/]);
  await send(page).click();
  await expect(page.getByRole('link', { name: /offer.pdf/ })).toBeVisible();
});

test('a draft with its files is on every device, and comes back after it was deleted', async ({ page, tenant, browser }) => {
  await write(page, tenant);
  await pick(page, offer);
  await expect(files(page)).toHaveText([/9 B/]);
  await expect(form(page).getByText('Draft saved')).toHaveText('Draft saved');
  await page.reload();
  await expect(form(page).getByRole('textbox', { name: 'Message' })).toHaveValue('It is ready.');
  await expect(files(page)).toHaveText([/offer\.pdf/]);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL('/inbox');

  const context = await browser.newContext();
  const other = await context.newPage();
  await signIn(other, tenant, '/inbox?view=drafts');
  await other
    .getByRole('list', { name: 'Drafts' })
    .getByRole('link', { name: /Your order/ })
    .click();
  await expect(files(other)).toHaveText([/offer\.pdf/]);
  await form(other).getByRole('textbox', { name: 'Message' }).fill('It is ready and paid.');
  await expect(form(other).getByText('Draft saved')).toHaveText('Draft saved');
  await expectAccessible(other);

  await page.goto('/inbox?view=drafts');
  await page
    .getByRole('list', { name: 'Drafts' })
    .getByRole('link', { name: /It is ready and paid/ })
    .click();
  await expect(form(page).getByRole('textbox', { name: 'Message' })).toHaveValue('It is ready and paid.');
  await page.getByRole('button', { name: 'Delete draft' }).click();
  await expect(page.getByText('No drafts')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(files(page)).toHaveText([/offer\.pdf/]);
  await expect(form(page).getByText('Draft saved')).toHaveText('Draft saved');

  // The other device has an older version.
  await form(other).getByRole('textbox', { name: 'Message' }).fill('It is late.');
  await expect(form(other).getByRole('alert')).toContainText('on another device');
  await form(other).getByRole('button', { name: 'Keep this version' }).click();
  await expect(form(other).getByText('Draft saved')).toHaveText('Draft saved');
  await context.close();
  await page.reload();
  await expect(form(page).getByRole('textbox', { name: 'Message' })).toHaveValue('It is late.');
  await send(page).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your order' })).toBeVisible();
  await expect(page.getByText('No drafts')).toBeVisible();
});

test('a file that the server has no more is named, and can be removed', async ({ page, tenant }) => {
  await write(page, tenant);
  await pick(page, offer);
  await expect(files(page)).toHaveText([/9 B/]);
  const create = '**/api/trpc/conversations.create**';
  const data = { code: 'invalid_request', httpStatus: 400, details: { fields: { 'attachmentIds.0': 'is not an attachment' } } };
  await page.route(create, (route) =>
    route.fulfill({ status: 400, json: { error: { message: 'Invalid.', code: -32000, data } } }),
  );
  await send(page).click();
  await expect(files(page)).toHaveText([/No longer available/]);
  await page.unroute(create);
  await page.getByRole('button', { name: 'Remove offer.pdf' }).click();
  await send(page).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your order' })).toBeVisible();
});

test('what is written without a connection stays on the device until there is one', async ({ page, tenant }) => {
  await write(page, tenant);
  await expect(form(page).getByText('Draft saved')).toHaveText('Draft saved');
  const save = '**/api/trpc/drafts.save**';
  await page.route(save, (route) => route.abort());
  await form(page).getByRole('textbox', { name: 'Message' }).fill('It is ready, come by.');
  await expect(form(page).getByText('Draft saved')).toHaveText('Draft saved on this device');
  await page.reload();
  await expect(form(page).getByRole('textbox', { name: 'Message' })).toHaveValue('It is ready, come by.');
  await page.unroute(save);
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(form(page).getByText('Draft saved')).toHaveText('Draft saved');
});

test('a reply takes files, too', async ({ page, tenant, request }) => {
  const { conversationId } = await deliverMail(request, tenant, { subject: 'Hello' });
  await signIn(page, tenant, `/inbox/${conversationId}`);
  await page.getByRole('button', { name: /^Reply to/ }).click();
  await form(page, 'Reply').getByRole('textbox', { name: 'Message' }).fill('Here it is.');
  await pick(page, offer);
  await expect(form(page, 'Reply').getByText('9 B')).toBeVisible();
  await send(page).click();
  await expect(page.getByRole('link', { name: /offer.pdf/ })).toBeVisible();
});

test('a message is forwarded with its attachments, and its conversation stays as it is', async ({ page, tenant, request }) => {
  const attachment = { filename: 'plan.pdf', content: 'A plan.' };
  const { conversationId } = await deliverMail(request, tenant, { subject: 'The plan', attachment });
  await signIn(page, tenant, `/inbox/${conversationId}`);
  await expect(page.getByRole('button', { name: /^Reply to/ })).toBeVisible();
  await page.keyboard.press('f');
  await expect(form(page).getByRole('textbox', { name: 'Subject' })).toHaveValue('Fwd: The plan');
  await expect(form(page).getByRole('region', { name: 'Forwarded message' })).toContainText('Subject: The plan');
  await expect(files(page)).toHaveText([/plan\.pdf/]);
  await expectAccessible(page);
  await page.goBack();
  await page.getByRole('button', { name: 'Forward the message from Ann Quark' }).click();
  await form(page).getByRole('combobox', { name: 'To' }).fill('bob@quark.example');
  await send(page).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Fwd: The plan' })).toBeVisible();
  await expect(page.getByRole('link', { name: /plan.pdf/ })).toBeVisible();
  const forwarded = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const [sent] = await sentMessages(request, tenant, forwarded);
  expect(sent).toMatchObject({ to: [{ email: 'bob@quark.example' }], attachments: [{ filename: 'plan.pdf' }] });
  expect(await sentMessages(request, tenant, conversationId)).toHaveLength(1);
});

test('an email is written to a contact of a customer', async ({ page, tenant, request }) => {
  const answer = await request.post('/api/v1/identity/customers', {
    headers: { Authorization: `Bearer ${tenant.key}` },
    data: { company: 'Quark', contacts: [{ email: 'ann@quark.example', displayName: 'Quark, Ann' }] },
  });
  const { id } = await answer.json();
  await signIn(page, tenant, `/customers/${id}`);
  await page.getByRole('button', { name: 'Actions for ann@quark.example' }).click();
  await page.getByRole('menuitem', { name: 'Write email' }).click();
  await expect(form(page).getByRole('list', { name: 'To' }).getByRole('listitem')).toHaveText(['Quark, Ann']);
  await expect(form(page).getByRole('textbox', { name: 'Subject' })).toBeFocused();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('an email is a page that fits', async ({ page, tenant }) => {
    await write(page, tenant);
    await pick(page, { ...offer, name: `${'offer-'.repeat(12)}.pdf` });
    await expect(files(page)).toHaveText([/9 B/]);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Inbox' }).first().click();
    await page.getByRole('link', { name: /^Drafts/ }).click();
    await expect(page.getByRole('list', { name: 'Drafts' }).getByRole('link')).toHaveText([/Your order/]);
    await expectNoSidewaysScroll(page);
  });
});
