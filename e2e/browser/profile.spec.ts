import { expectAccessible, expectNoSidewaysScroll, signIn } from '../support/browser';
import { deliverMail } from '../support/mail';
import { expect, test } from '../support/test';

test('a person sets name, photo, time zone and language, and sees them in the frame and the team', async ({ page, tenant }) => {
  await signIn(page, tenant, '/settings/profile');
  const menu = page.getByRole('button', { name: /^Account: / }).first();
  const photo = menu.locator('[style*="/api/photos/"]');
  await expect(photo).toHaveCount(0);

  await page.getByLabel('Photo to upload').setInputFiles({
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('no picture'),
  });
  await expect(page.getByText('Couldn’t upload the photo. This is not an image')).toBeVisible();
  await page.getByLabel('Photo to upload').setInputFiles('prisma/demo/covers/cargo.png');
  await expect(page.getByRole('button', { name: 'Remove photo' })).toBeVisible();
  await expect(photo).toHaveCount(1);

  await page.getByLabel('Display name').fill('Mara Lindqvist');
  await page.getByLabel('Time zone').first().fill('berl');
  await page
    .getByRole('option', { name: /Berlin/ })
    .first()
    .click();
  await page.getByLabel('Language of emails').selectOption('de');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Profile saved')).toBeVisible();

  await page.reload();
  await expect(page.getByLabel('Display name')).toHaveValue('Mara Lindqvist');
  await expect(page.getByLabel('Time zone').first()).toHaveValue(/^Europe\/Berlin/);
  await expect(page.getByLabel('Language of emails')).toHaveValue('de');

  await page.goto('/settings/team');
  const table = page.getByRole('table', { name: 'Members' });
  await expect(table.getByText('Mara Lindqvist')).toBeVisible();
  await expect(table.locator('[style*="/api/photos/"]')).toHaveCount(1);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/settings/profile');
  await page.getByRole('button', { name: 'Remove photo' }).click();
  await expect(page.getByRole('button', { name: 'Upload photo' })).toBeVisible();
  await expectNoSidewaysScroll(page);
});

test('a member’s signature is below what they send as themselves', async ({ page, tenant, request }) => {
  const { conversationId } = await deliverMail(request, tenant, { subject: 'Hours?' });
  await signIn(page, tenant, '/settings/profile');
  const form = page.getByRole('form', { name: 'Signature' });
  await form.getByRole('textbox', { name: 'Signature' }).fill('Mara\nHarbor Lane');
  await form.getByRole('button', { name: 'Save signature' }).click();
  await expect(page.getByText('Signature saved')).toBeVisible();
  await page.goto(`/inbox/${conversationId}`);
  await page.getByRole('button', { name: /^Reply to/ }).click();
  await page.getByRole('combobox', { name: 'Send as' }).selectOption({ label: 'You' });
  await expect(page.getByRole('region', { name: 'Signature' })).toHaveText(/Mara\s+Harbor Lane/);
  await page.getByRole('textbox', { name: 'Message' }).fill('From ten.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('form', { name: 'Reply' })).toHaveCount(0);
  const answer = await request.get(`/api/v1/conversations/${conversationId}/messages?direction=outbound`, {
    headers: { Authorization: `Bearer ${tenant.key}` },
  });
  expect((await answer.json()).messages[0].text).toMatch(/^From ten\.\n\n-- \nMara\nHarbor Lane\n/);
});
