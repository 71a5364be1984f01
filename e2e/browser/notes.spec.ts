import { expectAccessible, expectNoSidewaysScroll, signIn } from '../support/browser';
import { deliverMail } from '../support/mail';
import { addMember } from '../support/member';
import { expect, test } from '../support/test';

/** Internal notes among the messages of a conversation. */

test('a note is drafted, mentions a colleague, and stays among the messages', async ({ page, tenant, request }) => {
  const { owner: colleague } = await addMember(tenant, 'Aylin Kaya');
  const { conversationId } = await deliverMail(request, tenant, { subject: 'Opening hours', text: 'Open on Saturday?' });
  await signIn(page, tenant, `/inbox/${conversationId}`);
  const composer = page.getByRole('form', { name: 'Internal note' });
  const text = composer.getByRole('textbox', { name: 'Internal note' });

  await page.getByRole('button', { name: 'Note', exact: true }).click();
  await expect(text).toBeFocused();
  await text.pressSequentially('Please answer, @ay');
  await expect(composer.getByRole('option')).toHaveText(['Aylin Kaya']);
  await expectAccessible(page);
  await text.press('Enter');
  await expect(text).toHaveValue('Please answer, @Aylin Kaya ');

  // What was typed survives a reload.
  await page.reload();
  await expect(page.getByRole('button', { name: /^Reply to/ })).toBeVisible();
  await page.keyboard.press('i');
  await expect(text).toHaveValue('Please answer, @Aylin Kaya ');
  await text.press('Control+Enter');
  await expect(composer).toHaveCount(0);
  const note = page.getByRole('article', { name: /^Internal note by/ });
  await expect(note).toContainText('Please answer, @Aylin Kaya');

  const path = `/api/v1/conversations/${conversationId}/notes`;
  const headers = { Authorization: `Bearer ${tenant.key}` };
  const { notes } = await (await request.get(path, { headers })).json();
  expect(notes).toHaveLength(1);
  expect(notes[0].mentions).toEqual([{ userId: colleague.userId, name: 'Aylin Kaya' }]);

  // What a program adds appears by itself.
  expect((await request.post(path, { headers, data: { text: 'We do until four.' } })).status()).toBe(201);
  await expect(note).toHaveCount(2);
  await expect(note.last()).toContainText('We do until four.');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
});

test('an empty note is refused in its field, and Escape closes', async ({ page, tenant, request }) => {
  const { conversationId } = await deliverMail(request, tenant, { subject: 'Opening hours', text: 'Open on Saturday?' });
  await signIn(page, tenant, `/inbox/${conversationId}`);
  await expect(page.getByRole('button', { name: /^Reply to/ })).toBeVisible();
  await page.keyboard.press('i');
  const composer = page.getByRole('form', { name: 'Internal note' });
  await composer.getByRole('button', { name: 'Add note' }).click();
  await expect(composer.getByText('Note must not be empty.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(composer).toHaveCount(0);
});
