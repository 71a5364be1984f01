import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessible, expectFitsPhone, signIn } from '../support/browser';
import { deliverMail } from '../support/mail';
import { letUndo, writeFormatted } from '../support/member';
import { expect, type Tenant, test } from '../support/test';

/** Emails that are written as formatted text. */

const text = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const tool = (page: Page, name: string) => page.getByRole('toolbar', { name: 'Format' }).getByRole('button', { name });
const files = (page: Page) => page.getByRole('list', { name: 'Attachments' }).getByRole('listitem');

async function sentTo(request: APIRequestContext, { key }: Tenant, conversationId: string) {
  const headers = { Authorization: `Bearer ${key}` };
  const url = `/api/v1/conversations/${conversationId}/messages?direction=outbound&includeAttachments=true`;
  return (await (await request.get(url, { headers })).json()).messages[0];
}

async function openReply(page: Page, request: APIRequestContext, tenant: Tenant): Promise<string> {
  await writeFormatted(tenant);
  const { conversationId } = await deliverMail(request, tenant, { subject: 'Hours?', from: 'Ann Quark <ann@quark.example>' });
  await signIn(page, tenant, `/inbox/${conversationId}`);
  await page.getByRole('button', { name: /^Reply to/ }).click();
  await expect(text(page)).toBeFocused();
  return conversationId;
}

test('a reply with bold words, a list and a link is sent as it looks', async ({ page, tenant, request }) => {
  const conversationId = await openReply(page, request, tenant);
  await page.keyboard.type('We open at ');
  await page.keyboard.press('Control+b');
  await page.keyboard.type('ten');
  await page.keyboard.press('Control+b');
  await page.keyboard.type('. 2 * 3 is six.');
  await page.keyboard.press('Enter');
  await tool(page, 'Bulleted list').click();
  await page.keyboard.type('Monday');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Friday');
  await expect(tool(page, 'Bulleted list')).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');

  await tool(page, 'Link').click();
  const dialog = page.getByRole('dialog', { name: 'Insert link' });
  await dialog.getByRole('textbox', { name: 'Text' }).fill('our page');
  await dialog.getByRole('textbox', { name: 'Address' }).fill('javascript:alert(1)');
  await dialog.getByRole('button', { name: 'Insert link' }).click();
  await expect(dialog.getByText('Enter a web or email address.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Address' }).fill('harbor.example/hours');
  await dialog.getByRole('button', { name: 'Insert link' }).click();
  await expect(text(page).getByRole('link', { name: 'our page' })).toHaveAttribute('href', 'https://harbor.example/hours');
  await expect(text(page)).toBeFocused();

  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('form', { name: 'Reply' })).toHaveCount(0);
  const message = await sentTo(request, tenant, conversationId);
  expect(message.html).toContain('<strong>ten</strong>. 2 * 3 is six.');
  expect(message.html).toMatch(/<li>Monday<\/li>\s*<li>Friday<\/li>/);
  expect(message.html).toContain('<a href="https://harbor.example/hours">our page</a>');
  expect(message.text).toMatch(
    /^We open at ten\. 2 \* 3 is six\.\n\n \* Monday\n \* Friday\n\nour page \(https:\/\/harbor\.example\/hours\)/,
  );
});

test('a picture in the text is sent with it, unless it is deleted from it', async ({ page, tenant, request }) => {
  const conversationId = await openReply(page, request, tenant);
  await page.keyboard.type('Here: ');
  const chooser = page.waitForEvent('filechooser');
  await tool(page, 'Insert picture').click();
  await (await chooser).setFiles('prisma/demo/covers/cargo.png');
  const picture = text(page).getByRole('img', { name: 'cargo.png' });
  await expect(picture).toHaveJSProperty('complete', true);
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  await expect(files(page)).toHaveCount(0);
  await expectAccessible(page);
  // What is deleted from the text is not sent, and what an undo brings back is.
  await page.keyboard.press('Backspace');
  await expect(picture).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(picture).toBeVisible();

  await expect(page.getByText('Draft saved')).toBeVisible();
  await page.reload();
  await expect(picture).toBeVisible();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('form', { name: 'Reply' })).toHaveCount(0);
  const message = await sentTo(request, tenant, conversationId);
  expect(message.text).toContain('Here: ');
  expect(message.attachments).toEqual([expect.objectContaining({ filename: 'cargo.png', isInline: true })]);
});

test('the format is changed while writing, and nothing that was written is lost', async ({ page, tenant, request }) => {
  await openReply(page, request, tenant);
  await page.keyboard.type('Hello ');
  await page.keyboard.press('Control+i');
  await page.keyboard.type('Ann');
  await page.getByRole('button', { name: 'Formatted text' }).click();
  await expect(page.getByRole('toolbar', { name: 'Format' })).toHaveCount(0);
  await expect(text(page)).toHaveValue('Hello Ann');
  await text(page).fill('1. *Hello*\n\n- Ann');
  await page.getByRole('button', { name: 'Formatted text' }).click();
  await expect(text(page).getByRole('paragraph')).toHaveText(['1. *Hello*', '- Ann']);
  await expect(text(page).getByRole('listitem')).toHaveCount(0);
});

test('snippets are inserted at the cursor, and a pasted picture is in the text', async ({ page, tenant, request }) => {
  const headers = { Authorization: `Bearer ${tenant.key}` };
  await request.post('/api/v1/snippets', { headers, data: { name: 'Hours', text: 'From *ten*,\n{{customer.firstName}}.' } });
  await openReply(page, request, tenant);
  await page.keyboard.type('Before. After.');
  for (let step = 0; step < 'After.'.length; step += 1) await page.keyboard.press('ArrowLeft');
  await page.getByRole('button', { name: 'Insert snippet' }).click();
  await page.getByRole('menuitem', { name: 'Hours' }).click();
  await expect(text(page).getByRole('paragraph')).toHaveText(['Before. From *ten*,Ann.After.']);
  await expect(text(page)).toBeFocused();
  await text(page).evaluate((element) => {
    const data = new DataTransfer();
    const bytes = Uint8Array.from(
      atob('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='),
      (character) => character.charCodeAt(0),
    );
    data.items.add(new File([bytes], 'dot.png', { type: 'image/png' }));
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await expect(text(page).getByRole('img', { name: 'dot.png' })).toBeVisible();
  await expect(files(page)).toHaveCount(0);
});

test('a formatted email is taken back as it was, also on a phone', async ({ page, tenant }) => {
  await letUndo(tenant);
  await writeFormatted(tenant);
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page, tenant, '/inbox/new');
  const form = page.getByRole('form', { name: 'New email' });
  await form.getByRole('combobox', { name: 'To' }).fill('ann@quark.example');
  await form.getByRole('textbox', { name: 'Subject' }).fill('Your order');
  await text(page).click();
  await page.keyboard.press('Control+b');
  await page.keyboard.type('It is ready.');
  await expectFitsPhone(page);
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Your order' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(text(page).locator('strong')).toHaveText('It is ready.');
});

test('pictures from elsewhere in the draft of a program are not fetched, and sent as they are', async ({
  page,
  tenant,
  request,
}) => {
  const { conversationId } = await deliverMail(request, tenant, { subject: 'Hours?' });
  const headers = { Authorization: `Bearer ${tenant.key}` };
  const data = { format: 'markdown', text: 'See ![the map](https://pictures.example/map.png).' };
  expect((await request.put(`/api/v1/conversations/${conversationId}/draft`, { headers, data })).status()).toBeLessThan(300);
  const fetched: string[] = [];
  page.on('request', (sent) => fetched.push(sent.url()));
  await signIn(page, tenant, `/inbox/${conversationId}`);
  await expect(text(page).getByRole('img', { name: 'the map' })).toBeAttached();
  await text(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type(' Ann');
  const draft = async () => (await request.get(`/api/v1/conversations/${conversationId}/draft`, { headers })).json();
  await expect.poll(draft).toMatchObject({ draft: { text: 'See ![the map](https://pictures.example/map.png). Ann' } });
  expect(fetched.filter((url) => url.includes('pictures.example'))).toEqual([]);
});

test('Markdown of a program that is too large for the editor is edited as it is', async ({ page, tenant, request }) => {
  const { conversationId } = await deliverMail(request, tenant, { subject: 'Hours?' });
  const headers = { Authorization: `Bearer ${tenant.key}` };
  const data = { format: 'markdown', text: `${'> '.repeat(60)}deep` };
  expect((await request.put(`/api/v1/conversations/${conversationId}/draft`, { headers, data })).status()).toBeLessThan(300);
  await signIn(page, tenant, `/inbox/${conversationId}`);
  await expect(text(page)).toHaveValue(/deep$/);
  await expect(page.getByText('This text is written in Markdown')).toBeVisible();
});
