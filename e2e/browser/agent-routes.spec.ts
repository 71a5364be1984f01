import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, signIn } from '../support/browser';
import { operator } from '../support/operator';
import { expect, type Tenant, test } from '../support/test';

/** Opens the routes of a new agent of the tenant's. */
async function openRoutes(page: Page, tenant: Tenant): Promise<string> {
  const { agentId = '' } = await operator(
    'agent',
    'create',
    '--identity',
    tenant.handle,
    '--role-id',
    'front-desk',
    '--name',
    'Robin',
  );
  await signIn(page, tenant, `/agents/${agentId}?tab=routes`);
  return agentId;
}

async function readRoutes(request: APIRequestContext, tenant: Tenant, agentId: string) {
  const response = await request.get(`/api/v1/identity/agents/${agentId}/hitl`, {
    headers: { Authorization: `Bearer ${tenant.key}` },
  });
  expect(response.status()).toBe(200);
  return (await response.json()).routes as { level: number; label?: string; timeoutMins: number; channels: string[] }[];
}

const timeline = (page: Page) => page.getByRole('list', { name: 'Escalation timeline' }).getByRole('listitem');
const step = (page: Page, name: string) => page.getByRole('list', { name: 'Steps' }).getByRole('listitem', { name, exact: true });

test('two steps are added, sorted with the keyboard, shown on the timeline and saved', async ({ page, tenant, request }) => {
  const agentId = await openRoutes(page, tenant);
  await expect(page.getByRole('form', { name: 'Escalation' })).toContainText(tenant.owner.email);
  await page.getByRole('button', { name: 'Add step' }).click();
  await page.keyboard.type('Bob');
  const bob = step(page, 'Bob');
  await bob.getByRole('textbox', { name: 'Wait (minutes)' }).fill('30');
  await bob.getByRole('checkbox', { name: 'Email' }).uncheck();
  await expect(bob.getByText('Choose at least one channel.')).toBeVisible();
  await expect(bob.getByRole('checkbox', { name: 'SMS' })).toBeDisabled();
  await expect(bob.getByText('SMS and Slack aren’t set up, so nothing is sent by them.')).toBeVisible();
  await bob.getByRole('checkbox', { name: 'Dashboard' }).check();

  await page.getByRole('button', { name: 'Add step' }).click();
  await page.keyboard.type('Ann');
  const ann = step(page, 'Ann');
  await ann.getByRole('textbox', { name: 'Wait (minutes)' }).fill('15');
  await ann.getByRole('textbox', { name: 'Email' }).fill('ann@quark.example');
  await expect(timeline(page)).toContainText(['Bob', 'Ann', 'Owner']);

  await ann.getByRole('button', { name: 'Move Ann up' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Moved Ann to position 1 of 2')).toBeAttached();
  await expect(timeline(page)).toContainText([/0 min.*Ann.*by email/, /15 min.*Bob.*in the dashboard/, /45 min.*Owner/]);
  expect(await readRoutes(request, tenant, agentId)).toEqual([]);

  await expectAccessible(page);
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect
    .poll(() => readRoutes(request, tenant, agentId))
    .toMatchObject([
      { level: 1, label: 'Ann', timeoutMins: 15, channels: ['email'], contactInfo: { email: 'ann@quark.example' } },
      { level: 2, label: 'Bob', timeoutMins: 30, channels: ['in_app'] },
    ]);

  await page.reload();
  await expect(timeline(page)).toContainText([/0 min.*Ann/, /15 min.*Bob/, /45 min.*Owner/]);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
});

test('a wrong phone is told at its field, and nothing is saved or lost', async ({ page, tenant, request }) => {
  const agentId = await openRoutes(page, tenant);
  // Stored over the API, for another system that reads the routes.
  const route = { level: 1, label: 'Bob', channels: ['sms'], contactInfo: { phone: '+4940555011' } };
  const stored = await request.patch(`/api/v1/identity/agents/${agentId}/hitl`, {
    headers: { Authorization: `Bearer ${tenant.key}` },
    data: { routes: [route] },
  });
  expect(stored.status()).toBe(200);
  await page.reload();
  await page.getByRole('button', { name: 'Edit Bob' }).click();
  const bob = step(page, 'Bob');
  await expect(bob.getByRole('checkbox', { name: 'SMS' })).toBeChecked();
  const phone = bob.getByRole('textbox', { name: 'Phone' });
  await phone.fill('040 555 012');
  await page.getByRole('button', { name: 'Close Bob' }).click();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(bob.getByText('must be a number in E.164')).toBeVisible();
  await expect(phone).toBeFocused();
  await expect(phone).toHaveValue('040 555 012');
  expect(await readRoutes(request, tenant, agentId)).toMatchObject([route]);

  await phone.fill('+4940555012');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect
    .poll(() => readRoutes(request, tenant, agentId))
    .toMatchObject([{ ...route, contactInfo: { phone: '+4940555012' } }]);
});

test('a removed step can be restored to its position', async ({ page, tenant }) => {
  await openRoutes(page, tenant);
  await page.getByRole('button', { name: 'Add step' }).click();
  await page.keyboard.type('Ann');
  await page.getByRole('button', { name: 'Add step' }).click();
  await page.keyboard.type('Bob');
  await page.getByRole('button', { name: 'Remove Ann' }).click();
  await expect(timeline(page)).toContainText(['Bob', 'Owner']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(timeline(page)).toContainText(['Ann', 'Bob', 'Owner']);
});
