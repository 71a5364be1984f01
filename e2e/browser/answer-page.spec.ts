import { collectBrowserErrors, collectForeignHosts, expectAccessibleInBothThemes, expectFitsPhone } from '../support/browser';
import { answerOf, changeEvent, invite } from '../support/invitation';
import { expect, test } from '../support/test';

/** The personal page of somebody invited: no account, and nothing runs. */

test.use({ javaScriptEnabled: false });

test('somebody invited answers from the mail, and changes their mind', async ({ page, tenant, request }) => {
  const { eventId, path } = await invite(request, tenant);
  await page.goto(`${path}?answer=accepted`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Quarterly review');
  await expect(page.getByText('Tuesday, 25 November 2036, 10:00–11:00')).toBeVisible();
  await expect(page.getByText('Not saved yet.')).toBeVisible();
  expect(await answerOf(request, tenant, eventId)).toBe('needs_action');

  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page).toHaveURL(path);
  await expect(page.getByRole('heading', { name: 'Your response: yes.' })).toBeVisible();
  expect(await answerOf(request, tenant, eventId)).toBe('accepted');

  await page.reload();
  await page.getByRole('button', { name: 'Decline' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Decline (your current response)' })).toBeVisible();
  await expect(page).toHaveTitle(/^Your response: no · /);
  expect(await answerOf(request, tenant, eventId)).toBe('declined');
});

test('an event cancelled while the page is open asks nothing any more', async ({ page, tenant, request }) => {
  const { eventId, path } = await invite(request, tenant);
  await page.goto(path);
  await changeEvent(request, tenant, eventId, { status: 'cancelled' });
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText('has canceled this event')).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
  expect(await answerOf(request, tenant, eventId)).toBe('needs_action');
});

test.describe('with axe', () => {
  // axe is a script; the page has none, and its policy allows none.
  test.use({ javaScriptEnabled: true });

  test('every state is accessible, quiet, and asks nobody else for anything', async ({ page, tenant, request, baseURL }) => {
    const { eventId, path } = await invite(request, tenant, { title: `Review ${'of all that happened '.repeat(8)}` });
    const complaints = collectBrowserErrors(page);
    const foreign = collectForeignHosts(page, baseURL ?? '');
    const expectSound = async () => {
      await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
      await expectAccessibleInBothThemes(page);
      await expectFitsPhone(page);
    };
    await page.goto(`${path}?answer=declined`);
    await expectSound();
    await page.getByRole('button', { name: 'Maybe' }).click();
    await expect(page.getByText('Your response: maybe.')).toBeVisible();
    await expectSound();
    await changeEvent(request, tenant, eventId, { status: 'cancelled' });
    await page.goto(path);
    await expectSound();
    expect(complaints).toEqual([]);
    expect(foreign).toEqual([]);
    await page.goto('/rsvp/nobody-has-this');
    await expectSound();
  });
});
