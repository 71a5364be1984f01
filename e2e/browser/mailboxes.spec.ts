import { within } from '../support/base-test';
import { expectAccessible, expectAccessibleInBothThemes, expectFitsPhone, signIn } from '../support/browser';
import { dovecot, startDovecot, type TestDovecot } from '../support/dovecot';
import { type OutsideMailServer, startOutsideMailServer } from '../support/outside-mail-server';
import { expect, test } from '../support/test';

let imap: TestDovecot;
let smtp: OutsideMailServer;

// biome-ignore lint/suspicious/noSkippedTests: what can't be had here can't be tested here
test.skip(dovecot === null, 'Dovecot is not installed.');

test.beforeEach(async () => {
  imap = await startDovecot();
  smtp = await startOutsideMailServer({ security: 'tls', password: imap.server('shop').password });
});

test.afterEach(() => Promise.all([imap.remove(), smtp.close()]));

test('a mailbox is tried out, connected, answered from, paused and disconnected', async ({ page, tenant }) => {
  const { host, port, password } = imap.server('shop');
  await imap.append('shop', ['From: Ann <ann@quark.example>\r\nSubject: From the mailbox\r\n\r\nHello\r\n']);
  await signIn(page, tenant, '/settings/mailboxes');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Connect mailbox' }).click();
  const form = page.getByRole('dialog', { name: 'Connect mailbox' });
  await form.getByLabel('Email address').fill('shop@quark.example');
  await expect(form.getByLabel('IMAP server')).toHaveValue('imap.quark.example');
  await form.getByLabel('IMAP server').fill(host);
  await form.getByLabel('Port', { exact: true }).fill(String(port));
  await expect(form.getByLabel('SMTP server')).toHaveValue('smtp.quark.example');
  await form.getByLabel('SMTP server').fill(host);
  await form.getByLabel('SMTP port').fill(String(smtp.port));
  await form.getByLabel('User name').fill('shop');
  await form.getByRole('textbox', { name: 'Password' }).fill('wrong');
  await form.getByRole('button', { name: 'Connect mailbox' }).click();
  await expect(form.getByText(/refused the user name or password/)).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await form.getByRole('textbox', { name: 'Password' }).fill(password);
  await form.getByRole('button', { name: 'Connect mailbox' }).click();
  const list = page.getByRole('list', { name: 'Mailboxes' });
  await expect(list.getByText('Connected')).toBeVisible();
  await expect(list.getByText('shop@quark.example')).toBeVisible();
  await expectFitsPhone(page);

  await page.goto('/inbox');
  await page.getByText('From the mailbox').click();
  // From then on it answers to the keyboard.
  await expect(page.getByRole('button', { name: /^Reply to/ })).toBeVisible();
  await page.keyboard.press('r');
  const composer = page.getByRole('form', { name: 'Reply' });
  await expect(composer.getByLabel('From')).toHaveValue('shop@quark.example');
  await composer.getByRole('textbox', { name: 'Message' }).fill('We are open.');
  await page.keyboard.press('Control+Enter');
  await expect
    .poll(() => smtp.accepted, { timeout: within(20) })
    .toMatchObject([{ user: 'shop', recipients: ['ann@quark.example'] }]);

  await page.goto('/settings/mailboxes');
  await page.getByRole('button', { name: 'Edit shop@quark.example' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit shop@quark.example' });
  await edit.getByLabel('Reading').selectOption('Paused');
  await edit.getByRole('button', { name: 'Save changes' }).click();
  await expect(list.getByText('Paused')).toBeVisible();
  await page.getByRole('button', { name: 'Edit shop@quark.example' }).click();
  await edit.getByRole('button', { name: 'Disconnect mailbox' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByText('No mailboxes yet')).toBeVisible();
});
