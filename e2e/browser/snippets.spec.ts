import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessible, expectFitsPhone, signIn } from '../support/browser';
import { deliverMail } from '../support/mail';
import { expect, type Tenant, test } from '../support/test';

/** Texts for common answers: in the settings, and in the composer. */

const rows = (page: Page) => page.getByRole('table', { name: 'Snippets' }).getByRole('row');
const dialog = (page: Page, name = 'Edit snippet') => page.getByRole('dialog', { name });
const text = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const files = (page: Page) => page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');

async function create(request: APIRequestContext, { key }: Tenant, data: object): Promise<string> {
  const answer = await request.post('/api/v1/snippets', { headers: { Authorization: `Bearer ${key}` }, data });
  expect(answer.status()).toBe(201);
  return (await answer.json()).id;
}

async function insert(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Insert snippet' }).click();
  await page.getByRole('menuitem', { name }).click();
}

test('a snippet is written with a variable and a file, changed, and deleted', async ({ page, tenant }) => {
  await signIn(page, tenant, '/settings/snippets');
  await page.getByRole('button', { name: 'New snippet' }).click();
  const made = dialog(page, 'New snippet');
  await made.getByRole('textbox', { name: 'Name' }).fill('Opening hours');
  await made.getByRole('textbox', { name: 'Text' }).fill('Hello ,\nwe open at ten.');
  await made.getByRole('textbox', { name: 'Text' }).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(6, 6));
  await made.getByRole('button', { name: 'Insert variable' }).click();
  await page.getByRole('menuitem', { name: 'Customer’s first name' }).click();
  await expect(made.getByRole('textbox', { name: 'Text' })).toHaveValue('Hello {{customer.firstName|there}},\nwe open at ten.');
  const chooser = page.waitForEvent('filechooser');
  await made.getByRole('button', { name: 'Attach files' }).click();
  await (await chooser).setFiles({ name: 'map.pdf', mimeType: 'application/pdf', buffer: Buffer.from('A map.') });
  await expect(files(page)).toHaveCount(1);
  await expectAccessible(page);
  await made.getByRole('button', { name: 'Create snippet' }).click();
  await expect(rows(page).nth(1)).toHaveText(/Opening hours.*1 file/);

  await page.getByRole('link', { name: 'Opening hours' }).click();
  await dialog(page).getByRole('textbox', { name: 'Text' }).fill('Hello {{custmer.name}}');
  await dialog(page).getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog(page).getByText('unknown variable {{custmer.name}}')).toBeVisible();
  await dialog(page).getByRole('textbox', { name: 'Text' }).fill('We open at nine.');
  await dialog(page).getByRole('button', { name: 'Save changes' }).click();
  await expect(rows(page).nth(1)).toHaveText(/We open at nine\..*1 file/);

  await page.getByRole('link', { name: 'Opening hours' }).click();
  await dialog(page).getByRole('button', { name: 'Delete snippet' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete snippet' }).click();
  await expect(page.getByText('No snippets yet')).toBeVisible();
});

test('what a colleague has changed is not replaced unasked', async ({ page, tenant, request }) => {
  const id = await create(request, tenant, { name: 'Directions', text: 'Turn left.' });
  await signIn(page, tenant, `/settings/snippets?snippet=${id}`);
  await dialog(page).getByRole('textbox', { name: 'Text' }).fill('Turn right.');
  const headers = { Authorization: `Bearer ${tenant.key}` };
  await request.patch(`/api/v1/snippets/${id}`, { headers, data: { text: 'Go straight on.' } });
  await dialog(page).getByRole('button', { name: 'Save changes' }).click();
  await expect(dialog(page).getByText('A colleague has changed this snippet.')).toBeVisible();
  await dialog(page).getByRole('button', { name: 'Save changes' }).click();
  await expect(rows(page).nth(1)).toHaveText(/Turn right\./);
});

test('a snippet is inserted at the cursor, filled in and with its file', async ({ page, tenant, request }) => {
  const headers = { Authorization: `Bearer ${tenant.key}`, 'Content-Type': 'application/pdf' };
  const { id: file } = await (await request.post('/api/v1/attachments?filename=map.pdf', { headers, data: 'A map.' })).json();
  await create(request, tenant, {
    name: 'Opening hours',
    text: 'Hello {{customer.firstName|there}} of {{customer.company}}, we open at ten.',
    attachmentIds: [file],
  });
  const { conversationId } = await deliverMail(request, tenant, { subject: 'Hours?', from: 'Ann Quark <ann@quark.example>' });
  await signIn(page, tenant, `/inbox/${conversationId}`);
  await page.getByRole('button', { name: /^Reply to/ }).click();
  await text(page).fill('Before. After.');
  await text(page).evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(8, 8));
  await insert(page, 'Opening hours');
  await expect(text(page)).toHaveValue('Before. Hello Ann of , we open at ten.After.');
  await expect(text(page)).toBeFocused();
  await expect(page.getByText('There is no value for: Customer’s company.')).toBeVisible();
  await expect(files(page)).toHaveCount(1);
  await page.keyboard.press('Control+z');
  await expect(text(page)).toHaveValue('Before. After.');
  await insert(page, 'Opening hours');
  // The file is attached once.
  await expect(text(page)).toHaveValue(/we open at ten/);
  await expect(files(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('form', { name: 'Reply' })).toHaveCount(0);
  const answer = await request.get(
    `/api/v1/conversations/${conversationId}/messages?direction=outbound&includeAttachments=true`,
    {
      headers,
    },
  );
  const { messages } = await answer.json();
  expect(messages[0].attachments.map(({ filename }: { filename: string }) => filename)).toEqual(['map.pdf']);
});

test('without snippets, the menu leads to the first one', async ({ page, tenant }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, tenant, '/inbox/new');
  await page.getByRole('button', { name: 'Insert snippet' }).click();
  await page.getByRole('menuitem', { name: 'Create your first snippet' }).click();
  await expect(dialog(page, 'New snippet')).toBeVisible();
  await expectFitsPhone(page);
});
