import type { APIRequestContext } from '@playwright/test';
import { expectAccessible, signIn } from '../support/browser';
import { failMail } from '../support/failed-mail';
import { deliverMail, inboundSecret } from '../support/mail';
import { expect, type Tenant, test } from '../support/test';

const agentAddress = ({ handle }: Tenant) => `inbox-manager@${handle}.localhost`;

/** A conversation and a reply to it, which waits: the installation under test has no mail server to send through. */
async function writeReply(request: APIRequestContext, tenant: Tenant, subject: string) {
  const { conversationId } = await deliverMail(request, tenant, { subject });
  const response = await request.post(`/api/v1/conversations/${conversationId}/messages`, {
    headers: { Authorization: `Bearer ${tenant.key}` },
    data: { text: 'Yes.', to: ['ann@quark.example', 'bob@quark.example'] },
  });
  expect(response.status()).toBe(201);
  return conversationId;
}

test('the outbox shows that an email is queued and why, and opens it with a link to its conversation', async ({
  page,
  tenant,
  request,
}) => {
  const conversationId = await writeReply(request, tenant, 'Opening hours');
  await signIn(page, tenant, '/outbox');
  await expect(page.getByRole('status').filter({ hasText: 'SMTP_URL' })).toBeVisible();
  const row = page.getByRole('row', { name: /Re: Opening hours/ });
  await expect(row).toContainText('Queued');
  await expect(row).toContainText('ann@quark.example');
  await expect(row).toContainText('+1');
  await expectAccessible(page);
  const link = row.getByRole('link', { name: 'Re: Opening hours' });
  await link.click();
  await expect(page).toHaveURL(/\/outbox\?mail=/);
  const panel = page.getByRole('dialog', { name: 'Re: Opening hours' });
  const recipients = panel.getByRole('list', { name: 'To' }).getByRole('listitem');
  await expect(recipients).toHaveText([/^ann@quark\.example.*Not sent yet$/, /^bob@quark\.example.*Not sent yet$/]);
  await expect(panel).toContainText('Sent once your administrator sets SMTP_URL.');
  await expect(panel).toContainText('Yes.');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(page).toHaveURL('/outbox');
  await expect(link).toBeFocused();
  await page.keyboard.press('Enter');
  await panel.getByRole('link', { name: 'Open conversation' }).click();
  await expect(page).toHaveURL(`/inbox/${conversationId}`);
});

test('an invitation opens as its guest gets it, without the guest’s own link, and leads to its event', async ({
  page,
  tenant,
  request,
}) => {
  const event = {
    title: 'Summer party',
    startTime: '2031-07-04T17:00:00Z',
    endTime: '2031-07-04T18:00:00Z',
    invitees: [{ email: 'ann@quark.example', name: 'Ann' }],
  };
  const created = await request.post('/api/v1/calendar/events', {
    headers: { Authorization: `Bearer ${tenant.key}` },
    data: event,
  });
  expect(created.status()).toBe(201);
  await signIn(page, tenant, '/outbox');
  await page.getByRole('link', { name: 'Invitation: Summer party' }).click();
  const panel = page.getByRole('dialog', { name: 'Invitation: Summer party' });
  const mail = panel.locator('iframe').contentFrame();
  await expect(mail.getByText('Summer party').first()).toBeVisible();
  await expect(mail.locator('a[href*="/rsvp/"]')).toHaveCount(0);
  await panel.getByRole('button', { name: 'Show plain text' }).click();
  await expect(panel).toContainText('(the guest’s own link)');
  await expectAccessible(page);
  await panel.getByRole('link', { name: 'Open event' }).click();
  await expect(page.getByRole('dialog', { name: 'Summer party' })).toContainText('2031');
});

test('an email that is not there is said to be gone', async ({ page, tenant }) => {
  await signIn(page, tenant, '/outbox?mail=0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50');
  await expect(page.getByRole('dialog', { name: 'Email not found' })).toBeVisible();
});

test('states are filtered in the URL, a failure shows its details, and the navigation counts it', async ({
  page,
  tenant,
  request,
}) => {
  await writeReply(request, tenant, 'Good news');
  await writeReply(request, tenant, 'Bad news');
  await failMail(tenant, 'Re: Bad news', '550 5.1.1 Nobody of this name lives here');
  await signIn(page, tenant, '/outbox');
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sent & delivery' })).toContainText(
    '1 failed',
  );
  const failed = page.getByRole('radio', { name: 'Failed 1' });
  await failed.focus();
  await page.keyboard.press('Space');
  await expect(page).toHaveURL(/state=failed/);
  await expect(page.getByRole('row', { name: /Good news/ })).toHaveCount(0);
  await page.getByRole('link', { name: 'Re: Bad news' }).click();
  const panel = page.getByRole('dialog', { name: 'Re: Bad news' });
  await expect(panel).toContainText('550 5.1.1 Nobody of this name lives here');
  await expect(panel).toContainText('3 attempts');
  await expect(panel).toContainText('Won’t retry automatically.');
  await page.keyboard.press('Escape');

  await page.goto('/outbox?state=sent');
  await expect(page.getByText('No sent emails')).toBeVisible();
  await page.getByRole('button', { name: 'Show all emails' }).click();
  await expect(page.getByRole('row', { name: /Good news/ })).toBeVisible();
});

test('the keyboard keeps its place when the mail it sends again leaves the list', async ({ page, tenant, request }) => {
  for (const subject of ['First', 'Second', 'Third']) {
    await writeReply(request, tenant, subject);
    await failMail(tenant, `Re: ${subject}`, '550 5.1.1 Nobody of this name lives here');
  }
  // This installation has no mail server, so that nothing leaves it; the page is told otherwise.
  await page.route(/\/api\/trpc\/.*mail\.outbox/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll('"canSend":false', '"canSend":true') });
  });
  await signIn(page, tenant, '/outbox');
  await page.getByRole('radio', { name: /^Failed/ }).press('Space');
  await page.getByRole('button', { name: 'Retry: Re: Second' }).press('Enter');
  await expect(page.getByRole('row', { name: /Re: Second/ })).toHaveCount(0);
  await expect(page.getByRole('row', { name: /Re: First/ }).getByRole('link')).toBeFocused();
  // The page goes on asking; a handler that is still at work would outlive it.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('the outbox of another business is not shown', async ({ page, tenant, createTenant, request }) => {
  await writeReply(request, await createTenant(), 'Somebody else’s');
  await signIn(page, tenant, '/outbox');
  await expect(page.getByText('Nothing sent yet')).toBeVisible();
});

test('a malformed message is kept, can be downloaded as received, and is permanently deleted', async ({
  page,
  tenant,
  request,
}) => {
  const headers = Array.from({ length: 1200 }, (_, index) => `X-${index}: ${'x'.repeat(950)}`).join('\r\n');
  const poison = `From: ann@quark.example\r\n${headers}\r\n\r\nHello`;
  const response = await request.post(`/api/inbound/email?recipient=${encodeURIComponent(agentAddress(tenant))}`, {
    headers: { Authorization: `Bearer ${inboundSecret}`, 'Content-Type': 'message/rfc822' },
    data: Buffer.from(poison),
  });
  expect((await response.json()).quarantineId).toBeTruthy();
  await deliverMail(request, tenant, { subject: 'The next one' });

  await signIn(page, tenant, '/outbox');
  await page.getByRole('link', { name: '1 blocked incoming message' }).click();
  await expect(page).toHaveURL('/quarantine');
  const entry = page.getByRole('list', { name: 'Blocked messages' }).getByRole('listitem');
  await expect(entry).toContainText('Invalid format');
  await expect(entry).toContainText(agentAddress(tenant));
  await expectAccessible(page);
  const address = await entry.getByRole('link', { name: /^Download/ }).getAttribute('href');
  const file = await page.request.get(address ?? '');
  expect(file.headers()['content-disposition']).toMatch(/^attachment/);
  expect((await file.body()).equals(Buffer.from(poison))).toBe(true);

  await entry.getByRole('button', { name: /^Delete/ }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete this message?' });
  await expect(question).toContainText('permanently deleted');
  await question.getByRole('button', { name: 'Delete message' }).click();
  await expect(page.getByText('No blocked messages')).toBeVisible();
  expect((await page.request.get(address ?? '')).status()).toBe(404);
});
