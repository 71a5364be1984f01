import { expectAccessible, signIn } from '../support/browser';
import { expect, test } from '../support/test';

test('without a mail server the link is shown once, to be passed on', async ({ page, tenant }) => {
  await signIn(page, tenant, '/settings/team');
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByLabel('Email').fill(`carl@${tenant.handle}.example`);
  await page.getByRole('button', { name: 'Create link' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invitation created' });
  await expect(dialog).toContainText('/invitation#');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: `Actions for carl@${tenant.handle}.example` }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke invitation' }).click();
  await expect(page.getByText('Just you so far')).toBeVisible();
});
