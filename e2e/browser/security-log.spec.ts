import { within } from '../support/base-test';
import { expectAccessible, expectNoSidewaysScroll, signIn } from '../support/browser';
import { expect, test } from '../support/test';

test('refused keys and requests are shown to their owner, with why and how often, and narrowed by kind', async ({
  page,
  tenant,
  request,
}) => {
  const headers = { Authorization: `Bearer ${tenant.key}` };
  for (let i = 0; i < 3; i++) {
    const answer = await request.get('/api/v1/identity?identityId=0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50', { headers });
    expect(answer.status()).toBe(403);
  }
  await signIn(page, tenant, '/audit');
  await page.getByRole('navigation', { name: 'Logs' }).getByRole('link', { name: 'Security' }).click();
  await expect(page).toHaveURL('/audit/security');
  const row = page.getByRole('listitem').filter({ hasText: 'API request refused' });
  // Counted in one row, which is written a moment after the event.
  await expect(async () => {
    await page.reload();
    await expect(row.first()).toContainText('Requested another business', { timeout: within(1) });
  }).toPass();
  await expect(row.first()).toContainText('GET /identity');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Type', exact: true }).click();
  await page.getByRole('menuitemradio', { name: 'Sign-in failed', exact: true }).click();
  await expect(page).toHaveURL('/audit/security?kind=sign_in_failed');
  await expect(page.getByText('No events of this type')).toBeVisible();
  await page.getByRole('button', { name: 'Show all events' }).click();
  await expect(row.first()).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await expectNoSidewaysScroll(page);
});
