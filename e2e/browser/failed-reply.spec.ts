import { expect, test } from '../support/base-test';
import { signIn } from '../support/browser';
import { clientOf } from '../support/demo';
import { startInstallation } from '../support/installation';
import { startOutsideMailServer } from '../support/outside-mail-server';
import { createDesk } from '../support/own-installation';

const inboundSecret = 'secret-of-this-test';

test('a reply that fails again shows why, how often it was tried, and Retry, without a reload', async ({ browser, request }) => {
  const outside = await startOutsideMailServer();
  const installation = await startInstallation({ settings: { SMTP_URL: outside.url, INBOUND_SECRET: inboundSecret } });
  try {
    const desk = await createDesk(installation);
    const raw = `From: ann@quark.example\r\nTo: ${desk.address}\r\nSubject: Brakes\r\nMessage-ID: <b@quark.example>\r\n\r\nHello`;
    const received = await request.post(`${installation.baseUrl}/api/inbound/email?recipient=${desk.address}`, {
      headers: { Authorization: `Bearer ${inboundSecret}` },
      data: Buffer.from(raw),
    });
    const { conversationId } = await received.json();
    outside.behave({ recipient: () => ({ code: 550, message: '5.1.1 Nobody of this name lives here' }) });
    const page = await (await browser.newContext({ baseURL: installation.baseUrl })).newPage();
    await signIn(page, { owner: { userId: '', email: desk.email, password: desk.password } }, `/inbox/${conversationId}`);
    await expect(page.getByRole('heading', { name: 'Brakes' })).toBeVisible();
    await clientOf(request, installation, desk.key).post(`/conversations/${conversationId}/messages`, { text: 'On our way' });

    const failure = page.getByRole('alert').filter({ hasText: 'Not delivered' });
    const retry = failure.getByRole('button', { name: /^Retry/ });
    await expect(failure).toContainText('Nobody of this name lives here');
    for (const attempts of ['1 attempt.', '2 attempts.', '3 attempts.']) {
      await expect(failure).toContainText(attempts);
      await expect(failure).toContainText('Nobody of this name lives here');
      await retry.click();
    }
    await page.context().close();
  } finally {
    await installation.stop();
    await outside.close();
  }
});
