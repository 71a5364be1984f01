import type { Page } from '@playwright/test';
import { signIn } from '../support/browser';
import { deliverMail } from '../support/mail';
import { expect, test } from '../support/test';

/** The server does what it was asked to, and the answer never arrives: the person presses the button again. */

/** Loses the answer to the next call of a procedure, after the server has given it. */
async function loseNextAnswer(page: Page, procedure: string): Promise<void> {
  const lose = async (route: Parameters<Parameters<Page['route']>[1]>[0]) => {
    expect((await route.fetch()).status()).toBe(200);
    await route.abort('connectionreset');
  };
  await page.route(`**/api/trpc/${procedure}`, lose, { times: 1 });
}

test('a customer is created once, and the second press leads to it', async ({ page, tenant, request }) => {
  await signIn(page, tenant, '/customers/new');
  const form = page.getByRole('form', { name: 'New customer' });
  await form.getByLabel('Company').fill('Quark Labs');
  await form.getByLabel('Email').fill('ann@quark.example');
  await loseNextAnswer(page, 'customers.create');
  const create = form.getByRole('button', { name: 'Create customer' });
  await create.click();
  await expect(form.getByRole('alert')).toContainText('could not be reached');
  await create.click();
  await expect(page).toHaveURL(/\/customers\/[0-9a-f-]{36}$/);
  const answer = await request.get('/api/v1/identity/customers', { headers: { Authorization: `Bearer ${tenant.key}` } });
  expect(await answer.json()).toMatchObject({ total: 1, customers: [{ company: 'Quark Labs' }] });
});

test('a key whose answer was lost is not made again, and the second press says what happened', async ({ page, tenant }) => {
  await signIn(page, tenant, '/api-keys');
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Website');
  await dialog.getByLabel('Expires').selectOption('In 30 days');
  await loseNextAnswer(page, 'apiKeys.create');
  const create = dialog.getByRole('button', { name: 'Create key' });
  await create.click();
  await expect(dialog.getByRole('alert')).toContainText('could not be reached');
  await create.click();
  await expect(dialog.getByRole('alert')).toContainText('This was done the first time');
  await page.reload();
  await expect(page.getByText('Website', { exact: true })).toHaveCount(1);
});

test('a reply is sent once, also when the first one is in the thread by the time of the second press', async ({
  page,
  tenant,
  request,
}) => {
  const { conversationId } = await deliverMail(request, tenant, {
    to: `inbox-manager@${tenant.handle}.localhost`,
    subject: 'Hours',
  });
  await signIn(page, tenant, `/inbox/${conversationId}`);
  await page.getByRole('button', { name: /^Reply to/ }).click();
  const form = page.getByRole('form', { name: 'Reply' });
  await form.getByRole('textbox', { name: 'Message' }).fill('Until four.');
  await loseNextAnswer(page, 'conversations.reply');
  await form.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(form.getByRole('alert')).toContainText('could not be reached');
  await expect(page.getByText('Until four.', { exact: true })).toHaveCount(2);
  await form.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(form).toHaveCount(0);
  const headers = { Authorization: `Bearer ${tenant.key}` };
  const answer = await request.get(`/api/v1/conversations/${conversationId}/messages`, { headers });
  expect(await answer.json()).toMatchObject({ total: 2 });
});
