import type { APIRequestContext } from '@playwright/test';
import {
  collectBrowserErrors,
  expectAccessible,
  expectAccessibleInBothThemes,
  expectNoSidewaysScroll,
  signIn,
  untilHydrated,
} from '../support/browser';
import { failMail } from '../support/failed-mail';
import { deliverMail } from '../support/mail';
import { expect, type Tenant, test } from '../support/test';

/** Calls the tenant's API and gives the answer's body. */
async function call(request: APIRequestContext, { key }: Tenant, method: 'POST' | 'PATCH' | 'GET', path: string, data?: object) {
  const headers = { Authorization: `Bearer ${key}` };
  const response = await request.fetch(`/api/v1${path}`, { method, headers, ...(data ? { data } : {}) });
  expect(response.ok(), `${path}: ${await response.text()}`).toBe(true);
  return response.json();
}

/** A conversation that waits for a person, one that nobody has read, and a reply that could not be sent. */
async function fillDesk(request: APIRequestContext, tenant: Tenant): Promise<{ waitingId: string }> {
  const { conversationId: waitingId } = await deliverMail(request, tenant, { subject: 'Refund for a saddle' });
  await call(request, tenant, 'PATCH', `/conversations/${waitingId}`, { status: 'waiting_human', isRead: true });
  const { conversationId: answeredId } = await deliverMail(request, tenant, { subject: 'Opening hours' });
  await call(request, tenant, 'POST', `/conversations/${answeredId}/messages`, { text: 'Yes.', to: ['ann@quark.example'] });
  await call(request, tenant, 'PATCH', `/conversations/${answeredId}`, { status: 'waiting_customer', isRead: true });
  await failMail(tenant, 'Re: Opening hours', '550 5.1.1 Nobody of this name lives here');
  await deliverMail(request, tenant, { subject: 'A new question' });
  return { waitingId };
}

test('what needs attention is shown once: listed, or counted with a link to its list', async ({ page, tenant, request }) => {
  const { waitingId } = await fillDesk(request, tenant);
  await signIn(page, tenant);
  const needs = page.getByRole('region', { name: 'Needs attention now' });
  await expect(needs.getByRole('listitem')).toHaveText(['Failed emails1']);
  await expect(page.getByText('You’re all caught up')).toHaveCount(0);

  await needs.getByRole('link', { name: 'Failed emails' }).click();
  await expect(page).toHaveURL('/outbox?state=failed');
  await expect(page.getByRole('row', { name: /Re: Opening hours/ })).toBeVisible();
  await page.goBack();

  const conversations = page.getByRole('region', { name: 'Needs your attention' });
  await expect(conversations.getByRole('link', { name: /^(Refund|A new)/ })).toHaveText([
    /Refund for a saddle/,
    /A new question/,
  ]);
  await conversations.getByRole('link', { name: /Refund for a saddle/ }).click();
  await expect(page).toHaveURL(`/inbox/${waitingId}`);
  await page.goBack();

  // Reading it is no answer: it stays.
  await conversations.getByRole('link', { name: /A new question/ }).click();
  await expect(page.getByRole('heading', { name: 'A new question' })).toBeVisible();
  await page.goBack();
  await expect(conversations.getByRole('link', { name: /A new question/ })).toContainText('Open');
});

test('today, drafts and agents lead to what they name', async ({ page, tenant, request }) => {
  const moment = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const { event } = await call(request, tenant, 'POST', '/calendar/events', {
    title: 'Stocktaking',
    location: 'Workshop',
    startTime: moment(-30),
    endTime: moment(30),
  });
  await call(request, tenant, 'POST', '/calendar/events', {
    title: 'Fleet review',
    startTime: moment(3 * 24 * 60),
    endTime: moment(3 * 24 * 60 + 60),
    invitees: [{ email: 'ann@quark.example' }, { email: 'bob@quark.example' }],
  });
  await call(request, tenant, 'POST', '/blog/posts', { title: 'Wet brakes', content: 'Clean the rims.', authorName: 'Mara' });
  const { agents } = await call(request, tenant, 'GET', '/identity/agents');
  const [{ id: agentId }] = agents;
  await call(request, tenant, 'POST', '/usage/track', { type: 'agent_execution', agentId, status: 'failed' });
  await call(request, tenant, 'PATCH', `/identity/agents/${agentId}`, { status: 'paused' });
  await signIn(page, tenant);

  const today = page.getByRole('region', { name: 'Today' });
  await expect(today.getByRole('link', { name: /Stocktaking/ })).toContainText(/Now.*Workshop/);
  await expect(today.getByRole('heading', { name: '2 guests haven’t responded' })).toBeVisible();
  await expect(today.getByRole('link', { name: /Fleet review/ })).toContainText('2 pending');
  await expect(today.getByRole('link', { name: /Stocktaking/ })).toHaveAttribute('href', new RegExp(`event=${event.id}$`));

  const drafts = page.getByRole('region', { name: 'Drafts' });
  await expect(drafts.getByRole('link', { name: /Wet brakes/ })).toBeVisible();
  await expect(drafts.getByRole('link', { name: '1 draft' })).toHaveAttribute('href', '/posts?status=draft');

  const troubled = page.getByRole('region', { name: 'Agents needing attention' });
  await expect(troubled.getByRole('link', { name: '1 paused' })).toHaveAttribute('href', '/agents?status=paused');
  await expect(troubled.getByRole('link', { name: /Inbox manager/ })).toContainText(/Error.*Paused.*1 error in 3 days/);
  await troubled.getByRole('link', { name: /Inbox manager/ }).click();
  await expect(page).toHaveURL(`/agents/${agentId}?tab=activity`);
});

test('a plan that is nearly used up is shown and links to the usage page', async ({ page, createTenant, request }) => {
  const tenant = await createTenant({ plan: 'free' });
  await call(request, tenant, 'POST', '/usage/track', { type: 'token_usage', totalTokens: 85_000 });
  await signIn(page, tenant);
  await expect(page.getByRole('meter', { name: 'AI tokens' })).toHaveAttribute('aria-valuetext', /85k of 100k/);
  await expect(page.getByText(/^On track for .+ this month/)).toBeVisible();
  await page.getByRole('link', { name: 'AI tokens of plan 85%' }).click();
  await expect(page).toHaveURL('/usage');
});

test('mail that comes in while Home is open is counted without a reload, and only that of this business', async ({
  page,
  tenant,
  createTenant,
  request,
}) => {
  await deliverMail(request, await createTenant(), { subject: 'Somebody else’s' });
  await signIn(page, tenant);
  await expect(page.getByRole('heading', { name: 'You’re all caught up' })).toBeVisible();
  await expect(page.getByText('Somebody else’s')).toHaveCount(0);
  await deliverMail(request, tenant, { subject: 'Is anybody there?' });
  await expect(page.getByRole('link', { name: /Is anybody there/ })).toBeVisible();
  await expect(page.getByRole('link', { name: /Is anybody there/ })).toContainText('Unread');
});

test('an empty business gets a getting-started guide that tracks progress and can be dismissed', async ({
  page,
  tenant,
  request,
}) => {
  const complaints = collectBrowserErrors(page);
  await signIn(page, tenant);
  const steps = page.getByRole('region', { name: 'Getting started' });
  await expect(steps.getByRole('progressbar', { name: 'Getting started' })).toHaveAttribute('value', '0');
  await expect(steps.getByRole('listitem').filter({ hasText: 'Send your first reply' })).toContainText('SMTP_URL');
  await expectAccessible(page);
  await steps.getByRole('link', { name: 'Add customer' }).click();
  await expect(page).toHaveURL('/customers/new');

  await call(request, tenant, 'PATCH', '/identity', { profile: { about: 'We mend bicycles.' } });
  await page.goto('/');
  // The call that wrote the profile was one with an API key.
  await expect(steps.getByText('2 of 8 done').first()).toBeVisible();
  await expect(steps.getByText('Describe your business')).toBeHidden();
  await steps.getByText('2 done', { exact: true }).click();
  await expect(steps.getByText('Describe your business')).toBeVisible();

  await steps.getByRole('button', { name: 'Dismiss' }).click();
  await expect(steps).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Show getting-started guide' })).toBeFocused();
  await page.reload();
  await expect(page.getByText('Getting started: 2 of 8 done')).toBeVisible();
  await expect(steps).toHaveCount(0);
  await page.getByRole('button', { name: 'Show getting-started guide' }).click();
  await expect(steps).toBeVisible();
  expect(complaints).toEqual([]);
});

test('a full Home is accessible and fits a phone', async ({ page, tenant, request }) => {
  await fillDesk(request, tenant);
  await deliverMail(request, tenant, {
    from: `${'Verylongname'.repeat(12)} <x@quark.example>`,
    subject: 'Unbroken'.repeat(20),
  });
  await signIn(page, tenant);
  await untilHydrated(page);
  await expectAccessibleInBothThemes(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoSidewaysScroll(page);
  await expectAccessibleInBothThemes(page);
});
