import { signIn } from '../support/browser';
import { expect, test } from '../support/test';

// Other specs have none, so that nothing in them depends on the moment an animation ends.
test.use({ contextOptions: { reducedMotion: 'no-preference' } });

test('keys work while a closed dialog fades out', async ({ page, tenant }) => {
  await signIn(page, tenant, '/agents');
  await page.keyboard.press('ControlOrMeta+k');
  const search = page.getByRole('combobox', { name: 'Search for pages, actions and records' });
  await expect(search).toBeFocused();
  // Long enough that the keys below come while it closes.
  await page.addStyleTag({ content: '[data-exiting], [data-exiting] * { animation-duration: 60s !important; }' });
  await page.keyboard.press('Escape');
  await expect(page.locator('[data-exiting]').first()).toBeAttached();
  await page.keyboard.press('g');
  await page.keyboard.press('i');
  await expect(page).toHaveURL('/inbox');
});
