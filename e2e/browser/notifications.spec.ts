import type { Page } from '@playwright/test';
import { createAgentKey } from '../support/agent-key';
import { expectAccessible, expectAccessibleInBothThemes, expectFitsPhone, signIn } from '../support/browser';
import { deliverMail } from '../support/mail';
import { expect, test } from '../support/test';

/** Notifications of a member: the bell, the panel, and the settings. */

test('an agent asks for people: the bell counts it, the panel shows it, and opening the conversation marks it as read', async ({
  page,
  tenant,
  request,
}) => {
  const { key, name } = await createAgentKey(tenant);
  const ask = async (subject: string) => {
    const { conversationId } = await deliverMail(request, tenant, { subject });
    const response = await request.patch(`/api/v1/conversations/${conversationId}`, {
      headers: { Authorization: `Bearer ${key}` },
      data: { status: 'waiting_human' },
    });
    expect(response.status()).toBe(200);
    return conversationId;
  };
  await signIn(page, tenant, '/customers');
  const bell = page.getByRole('button', { name: /^Notifications/ }).filter({ visible: true });
  await expect(bell).toHaveText('Notifications');
  const conversationId = await ask('Refund');
  await expect(bell).toContainText('1 unread');
  await ask('Broken frame');
  await expect(bell).toContainText('2 unread');

  await bell.click();
  const panel = page.getByRole('dialog', { name: 'Notifications' });
  await expect(panel.getByRole('listitem')).toHaveText([/needs you: Broken frame/, /needs you: Refund/]);
  await expectAccessible(page);
  await panel.getByRole('link', { name: `${name} needs you: Refund` }).click();
  await expect(page).toHaveURL(`/inbox/${conversationId}`);
  await expect(panel).toHaveCount(0);
  await expect(bell).toContainText('1 unread');

  await bell.click();
  await panel.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(panel.getByText('Unread')).toHaveCount(0);
  await expect(panel.getByRole('button', { name: 'Mark all as read' })).toBeDisabled();
  await panel.getByRole('link', { name: 'Settings' }).click();
  await expect(page).toHaveURL('/settings/notifications');
  await expect(bell).toHaveText('Notifications');
});

test('what happens before a page follows the log is shown all the same', async ({ page, tenant, request }) => {
  const { key } = await createAgentKey(tenant);
  let follow = () => {};
  const mayFollow = new Promise<void>((resolve) => {
    follow = resolve;
  });
  await page.route(/events\.read/, async (route) => {
    await mayFollow;
    await route.continue();
  });
  await signIn(page, tenant, '/customers');
  const { conversationId } = await deliverMail(request, tenant, { subject: 'Refund' });
  const headers = { Authorization: `Bearer ${key}` };
  const data = { status: 'waiting_human' };
  expect((await request.patch(`/api/v1/conversations/${conversationId}`, { headers, data })).status()).toBe(200);
  follow();
  await expect(page.getByRole('button', { name: /^Notifications/ }).filter({ visible: true })).toContainText('1 unread');
});

/** The settings as they are stored. */
async function storedSettings(page: Page) {
  const { data } = await page.evaluate(async () => {
    const answer = await fetch('/api/trpc/notifications.settings?input={}');
    return (await answer.json()).result;
  });
  return data;
}

test('settings are saved as they are changed', async ({ page, tenant }) => {
  await signIn(page, tenant, '/settings/notifications');
  await page.getByRole('combobox', { name: 'Assigned to me: email' }).selectOption('Daily');
  await page.getByRole('switch', { name: 'Mentions: in app' }).press('Space');
  await page.getByRole('switch', { name: 'Quiet hours' }).press('Space');
  await page.getByLabel('Until').fill('06:30');
  await page.getByLabel('Until').blur();
  await expect(page.getByRole('switch', { name: 'An agent needs me: in app' })).toHaveCount(0);
  const saved = async () => {
    const data = await storedSettings(page);
    return [data.channels.assigned.email, data.channels.mentioned.inApp, data.quietHours];
  };
  await expect.poll(saved).toEqual(['daily', false, { from: '22:00', to: '06:30' }]);
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Assigned to me: email' })).toHaveValue('daily');
  await expect(page.getByRole('switch', { name: 'Mentions: in app' })).not.toBeChecked();
  await expect(page.getByLabel('Until')).toHaveValue('06:30');
  await expectAccessibleInBothThemes(page);
  await expectFitsPhone(page);
});

test('what is typed stays while earlier changes are being saved', async ({ page, tenant }) => {
  await signIn(page, tenant, '/settings/notifications');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isSaving = page.waitForRequest(/notifications\.updateSettings/);
  await page.route(/notifications\.updateSettings/, async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('combobox', { name: 'Assigned to me: email' }).selectOption('Daily');
  await isSaving;
  await page.getByRole('switch', { name: 'Quiet hours' }).press('Space');
  await page.getByLabel('Until').fill('06:30');
  const isRead = page.waitForResponse(/notifications\.settings/);
  release();
  await isRead;
  await expect(page.getByLabel('Until')).toHaveValue('06:30');
  await page.getByLabel('Until').blur();
  await expect.poll(async () => (await storedSettings(page)).quietHours).toEqual({ from: '22:00', to: '06:30' });
});

test('the service worker is served to browsers and may run', async ({ page, tenant }) => {
  await signIn(page, tenant, '/settings/notifications');
  const state = await page.evaluate(async () => {
    await navigator.serviceWorker.register('/notifications.js');
    return (await navigator.serviceWorker.ready).active?.scriptURL;
  });
  expect(state).toMatch(/\/notifications\.js$/);
});
