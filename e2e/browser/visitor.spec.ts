import { expect, test } from '../support/test';

test('who is not signed in is led to sign-in and back', async ({ page }) => {
  await page.goto('/customers');
  await expect(page).toHaveURL(/\/sign-in\?callbackUrl=/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});
