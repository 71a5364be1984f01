import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessible, signIn } from '../support/browser';
import { expect, type Tenant, test } from '../support/test';

const headersOf = (tenant: Tenant) => ({ Authorization: `Bearer ${tenant.key}` });

async function listAgents(request: APIRequestContext, tenant: Tenant) {
  const response = await request.get('/api/v1/identity/agents', { headers: headersOf(tenant) });
  return (await response.json()).agents as { id: string; name: string; roleId: string; kind: string; email: string }[];
}

/** The agent that every business has from the start. */
async function firstAgent(request: APIRequestContext, tenant: Tenant) {
  const [agent] = await listAgents(request, tenant);
  if (!agent) throw new Error('the tenant has no agent');
  return agent;
}

async function readAgent(request: APIRequestContext, tenant: Tenant, id: string) {
  return (await request.get(`/api/v1/identity/agents/${id}`, { headers: headersOf(tenant) })).json();
}

const cards = (page: Page) => page.getByRole('region', { name: 'Agents' }).getByRole('article');

test('a new agent gets a role out of its name, a kind of its own, and its page', async ({ page, tenant, request }) => {
  await signIn(page, tenant, '/agents');
  await expect(cards(page)).toHaveCount(1);
  await page.getByRole('button', { name: 'New agent' }).click();
  const dialog = page.getByRole('dialog', { name: 'New agent' });
  const role = dialog.getByRole('textbox', { name: 'Email address' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Inbox manager');
  await expect(role).toHaveValue('inbox-manager');
  await dialog.getByRole('button', { name: 'Create agent' }).click();
  await expect(dialog.getByText('Email address is taken.')).toBeVisible();

  await dialog.getByRole('textbox', { name: 'Name' }).fill('Night & weekend desk');
  await expect(role).toHaveValue('night-weekend-desk');
  await role.fill('night-desk');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Night desk');
  await expect(role).toHaveValue('night-desk');
  const { email } = await firstAgent(request, tenant);
  await expect(dialog).toContainText(`night-desk@${email.split('@')[1]}`);
  await dialog.getByLabel('Type').selectOption('Custom…');
  await dialog.getByRole('button', { name: 'Create agent' }).click();
  await expect(dialog.getByText('Custom type can’t be empty.')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Custom type' }).fill('night-watch');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create agent' }).click();

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Night desk');
  const made = (await listAgents(request, tenant)).find(({ roleId }) => roleId === 'night-desk');
  expect(made).toMatchObject({ name: 'Night desk', kind: 'night-watch' });
});

test('search takes wildcards, the status filter narrows, and both stand in the address', async ({ page, tenant, request }) => {
  const { id } = await firstAgent(request, tenant);
  await signIn(page, tenant, '/agents');
  const search = page.getByRole('searchbox', { name: 'Search agents' });
  await search.fill('*manager');
  await expect(page).toHaveURL(/q=/);
  await expect(cards(page)).toHaveCount(1);
  await search.fill('manager*');
  await expect(page.getByText('No agents found')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search and filter' }).click();
  await expect(cards(page)).toHaveCount(1);

  await page.getByRole('radio', { name: 'Paused' }).focus();
  await page.keyboard.press('Space');
  await expect(page).toHaveURL(/status=paused/);
  await expect(page.getByText('No agents found')).toBeVisible();
  await request.patch(`/api/v1/identity/agents/${id}`, { headers: headersOf(tenant), data: { status: 'paused' } });
  await page.reload();
  await expect(cards(page)).toContainText('Paused');
  await cards(page).getByRole('link').click();
  await expect(page).toHaveURL(`/agents/${id}`);
});

test('a persona shows in the sample mail as it is typed; only what changed is saved, and emptied keys go', async ({
  page,
  tenant,
  request,
}) => {
  const { id } = await firstAgent(request, tenant);
  const before = await readAgent(request, tenant, id);
  await signIn(page, tenant, `/agents/${id}`);
  const sample = page.getByRole('region', { name: 'Preview' });
  const form = page.getByRole('form', { name: 'Profile' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Robin');
  await form.getByRole('textbox', { name: 'Signature' }).fill('Kind regards\n\nRobin, front desk');
  await expect(sample).toContainText(`Robin <${before.email}>`);
  await expect(sample.getByText('Kind regards\n\nRobin, front desk')).toBeVisible();
  await form.getByRole('textbox', { name: 'Tone' }).fill('Formal');
  await expect(sample).toContainText('Dear Ms Hill,');
  await form.getByRole('textbox', { name: 'Tone' }).fill('');

  // What is wrong is said at its field, and nothing typed is lost.
  await form.getByRole('textbox', { name: 'Image URL', exact: true }).fill('robin.png');
  await form.getByRole('button', { name: 'Save changes' }).click();
  await expect(form.getByText(/^Image URL must be a URL/)).toBeVisible();
  await form.getByRole('textbox', { name: 'Image URL', exact: true }).fill('');

  await page.getByRole('tab', { name: 'Activity' }).click();
  const question = page.getByRole('alertdialog', { name: 'Discard changes?' });
  await question.getByRole('button', { name: 'Keep editing' }).click();
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('Robin');

  const sent = page.waitForRequest((call) => call.url().includes('agents.update'));
  await form.getByRole('button', { name: 'Save changes' }).click();
  expect((await sent).postDataJSON()).toEqual({
    agentId: id,
    name: 'Robin',
    persona: { tone: null, signature: 'Kind regards\n\nRobin, front desk' },
  });
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Robin');
  const { tone: _, ...kept } = before.config.persona;
  await expect
    .poll(async () => (await readAgent(request, tenant, id)).config.persona)
    .toEqual({ ...kept, signature: 'Kind regards\n\nRobin, front desk' });
});

test('archiving can be undone, and a copy starts paused on its own page', async ({ page, tenant, request }) => {
  const { id, name } = await firstAgent(request, tenant);
  await signIn(page, tenant, `/agents/${id}`);
  await page.getByRole('button', { name: 'Status: Active' }).click();
  await page.getByRole('menuitemradio', { name: /Archived/ }).click();
  await expect(page.getByRole('button', { name: 'Status: Archived' })).toBeVisible();
  await expect.poll(async () => (await readAgent(request, tenant, id)).status).toBe('archived');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Status: Active' })).toBeVisible();
  await expect.poll(async () => (await readAgent(request, tenant, id)).status).toBe('active');

  await page.getByRole('button', { name: 'Duplicate' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${name} (copy)`);
  await expect(page.getByRole('button', { name: 'Status: Paused' })).toBeVisible();
  await expect(page).not.toHaveURL(`/agents/${id}`);
});

test('tabs have addresses, answer to the keyboard, and activity reaches back as far as there is any', async ({
  page,
  tenant,
  request,
}) => {
  const { id } = await firstAgent(request, tenant);
  const records = Array.from({ length: 35 }, (_, index) => ({
    type: 'agent_execution',
    agentId: id,
    status: index === 34 ? 'needs human' : 'completed',
    operation: 'reply',
    taskId: `task-${index}`,
  }));
  await signIn(page, tenant, `/agents/${id}?tab=activity`);
  await expect(page.getByText('No activity yet')).toBeVisible();
  const tracked = await request.post('/api/v1/usage/track/batch', { headers: headersOf(tenant), data: { records } });
  expect((await tracked.json()).success).toBe(true);

  await page.reload();
  const rows = page.getByRole('tabpanel', { name: 'Activity' }).getByRole('row');
  await expect(rows).toHaveCount(31);
  await expect(page.getByRole('tabpanel')).toContainText('needs human');
  await page.getByRole('button', { name: 'Show older' }).click();
  await expect(rows).toHaveCount(36);
  await expect(page.getByRole('button', { name: 'Show older' })).toHaveCount(0);

  await page.getByRole('tab', { name: 'Activity' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/agents/${id}?tab=configuration`);
  await expect(page.getByRole('tabpanel', { name: 'Settings' })).toContainText(id);
  await page.goBack();
  await expect(page.getByRole('tab', { name: 'Activity' })).toHaveAttribute('aria-selected', 'true');
});

test('what another identity owns is not found', async ({ page, tenant, createTenant, request }) => {
  const foreign = await createTenant();
  const { id } = await firstAgent(request, foreign);
  await signIn(page, tenant, '/agents');
  await page.goto(`/agents/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Agent not found');
});

test('names that are code are shown as text', async ({ page, tenant, request }) => {
  const { id } = await firstAgent(request, tenant);
  const name = '<img src=x onerror="document.title=1">';
  await request.patch(`/api/v1/identity/agents/${id}`, { headers: headersOf(tenant), data: { name } });
  await signIn(page, tenant, `/agents/${id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
});
