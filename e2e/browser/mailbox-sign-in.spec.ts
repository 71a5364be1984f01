import { expectAccessibleInBothThemes, expectFitsPhone, signIn } from '../support/browser';
import { expect, test } from '../support/test';

test('a sign-in at Google is prepared, begun, and explained when it is refused', async ({ page, tenant }) => {
  const asked: URLSearchParams[] = [];
  await page.route('https://accounts.google.com/**', async (route) => {
    const { searchParams } = new URL(route.request().url());
    asked.push(searchParams);
    const answer = new URLSearchParams({ error: 'access_denied', state: searchParams.get('state') ?? '' });
    const back = `${searchParams.get('redirect_uri')}?${answer}`;
    await route.fulfill({ contentType: 'text/html', body: `<script>location.href = ${JSON.stringify(back)}</script>` });
  });
  await signIn(page, tenant, '/settings/mailboxes');
  await page.getByRole('button', { name: 'Connect mailbox' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Sign in at Google' }).click();
  await expect(dialog.getByText('/settings/mailboxes/signed-in')).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await dialog.getByLabel('Client ID').fill('4711.apps.googleusercontent.example');
  await dialog.getByRole('button', { name: 'Save and go on' }).click();
  await expect(dialog.getByText('is required')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Client secret' }).fill('GOCSPX-4711');
  await dialog.getByRole('button', { name: 'Save and go on' }).click();
  await dialog.getByLabel('Email address').fill('shop@quark.example');
  await expectAccessibleInBothThemes(page);
  await dialog.getByRole('button', { name: 'Go on to Google' }).click();

  await expect(page.getByText('Google was not allowed to let Frontdesk into the mailbox.')).toBeVisible();
  expect(Object.fromEntries(asked[0] ?? [])).toMatchObject({
    ...{ client_id: '4711.apps.googleusercontent.example', login_hint: 'shop@quark.example', response_type: 'code' },
    ...{ scope: 'https://mail.google.com/', access_type: 'offline', code_challenge_method: 'S256' },
  });
  await expect(page).toHaveURL(/\/settings\/mailboxes\/signed-in$/);
  await expectAccessibleInBothThemes(page);
  await expectFitsPhone(page);
  await page.getByRole('link', { name: 'Back to mailboxes' }).click();

  const clients = page.getByRole('list', { name: 'OAuth clients' });
  await expect(clients.getByText('4711.apps.googleusercontent.example')).toBeVisible();
  await page.getByRole('button', { name: 'Edit the client at Google' }).click();
  await dialog.getByRole('button', { name: 'Remove the client at Google' }).click();
  await expect(clients).toHaveCount(0);
});
