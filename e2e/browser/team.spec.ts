import type { Browser, Page } from '@playwright/test';
import { expect, test } from '../support/base-test';
import { expectAccessible, expectFitsPhone, signIn } from '../support/browser';
import { withMailingInstallation } from '../support/mailing-installation';
import { createDesk, type Desk, databaseOf, queryDatabase } from '../support/own-installation';

/** Teams in the dashboard: invitations by mail, what each role can do, and the end of a membership. */

const mailing = withMailingInstallation();

/** A browser in which the owner of a business is signed in. */
async function ownerPage(browser: Browser, { email, password }: Desk, path: string): Promise<Page> {
  const page = await mailing.newPage(browser);
  await signIn(page, { owner: { userId: '', email, password } }, path);
  return page;
}

const password = 'a few random words';

/** The link of the newest invitation mailed to an address. */
const invitationLink = (email: string) =>
  mailing.newestLink(email, ({ text = '' }) => /https?:\S+\/invitation#\S+/.exec(text)?.[0]);

/** Invites from the page of the team. */
async function invite(page: Page, email: string, role: string): Promise<void> {
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite to the team' });
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByRole('radio', { name: role }).check();
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole('table', { name: 'Invitations' })).toContainText(email);
}

/** Creates the account that a link invites. */
async function joinWithNewAccount(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await expect(page).toHaveURL(`${mailing.installation.baseUrl}/`);
}

async function changeRole(page: Page, name: string, role: string): Promise<void> {
  await page.getByRole('button', { name: `Role of ${name}` }).click();
  await page.getByRole('menuitemradio', { name: new RegExp(`^${role}`) }).click();
  await expect(page.getByRole('button', { name: `Role of ${name}: ${role}` })).toBeEnabled();
}

test('somebody joins as a viewer, is made a member, and is removed', async ({ browser, request }) => {
  const desk = await createDesk(mailing.installation);
  const headers = { Authorization: `Bearer ${desk.key}` };
  const data = { company: 'Quark Labs', contacts: [{ email: 'ann@quark.example' }] };
  expect((await request.post(`${mailing.installation.baseUrl}/api/v1/identity/customers`, { headers, data })).status()).toBe(201);

  const owner = await ownerPage(browser, desk, '/settings/team');
  await expect(owner.getByText('Just you so far')).toBeVisible();
  const email = `bea@${desk.handle}.example`;
  await owner.getByRole('button', { name: 'Invite', exact: true }).click();
  await owner.getByRole('button', { name: 'Send invitation' }).click();
  await expect(owner.getByText('Enter a valid email address.')).toBeVisible();
  await expectAccessible(owner);
  await owner.getByRole('button', { name: 'Cancel' }).click();
  await invite(owner, email, 'Viewer');
  await expectAccessible(owner);

  const page = await mailing.newPage(browser);
  const link = await invitationLink(email);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: `Join ${desk.handle}` })).toBeVisible();
  await expect(page.getByText(`${desk.email} invited you to join ${desk.handle} as a viewer.`)).toBeVisible();
  await expectAccessible(page);
  await expectFitsPhone(page);
  await joinWithNewAccount(page, link, 'Bea');

  // A viewer reads, and learns who can do the rest.
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API keys' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Switch business/ }).first()).toContainText('Viewer');
  await page.getByRole('link', { name: 'Customers', exact: true }).first().click();
  const create = page.getByRole('button', { name: 'New customer' });
  await expect(create).toBeDisabled();
  await expect(create).toHaveAccessibleDescription('Only owners, admins and members can do this.');
  await expect(page).toHaveURL(/customers$/);
  await page.keyboard.press('n');
  await expect(page.getByText('Only owners, admins and members can do this.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Quark Labs' }).click();
  await expect(page.getByText('You can view this. Only owners, admins and members can change it.')).toBeVisible();
  await expect(page.getByLabel('Company', { exact: true })).toBeDisabled();
  await expectAccessible(page);
  for (const path of ['/api-keys', '/audit', '/settings/webhooks']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'Only owners and admins can open this page' })).toBeVisible();
  }
  await page.goto('/settings/team');
  await expect(page.getByRole('table', { name: 'Members' })).toContainText('Bea');
  await expect(page.getByRole('button', { name: 'Invite', exact: true })).toBeDisabled();
  await page.goto('/settings/danger');
  await expect(page.getByRole('button', { name: 'Delete business' })).toBeDisabled();

  // As a member the same action works.
  await owner.reload();
  await changeRole(owner, 'Bea', 'Member');
  await page.goto('/customers');
  await page.getByRole('link', { name: 'New customer' }).click();
  await page.getByRole('textbox', { name: 'Email' }).fill('carl@zed.example');
  await page.getByRole('button', { name: 'Create customer' }).click();
  await expect(page.getByRole('heading', { name: 'carl@zed.example' })).toBeVisible();

  // The page learns of a role that was taken away from the first refusal.
  await changeRole(owner, 'Bea', 'Viewer');
  await page.getByLabel('Company', { exact: true }).fill('Zed');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('You can view this. Only owners, admins and members can change it.')).toBeVisible();

  await owner.getByRole('button', { name: 'Actions for Bea' }).click();
  await owner.getByRole('menuitem', { name: 'Remove' }).click();
  await owner.getByRole('alertdialog', { name: 'Remove Bea?' }).getByRole('button', { name: 'Remove' }).click();
  await expect(owner.getByText('Just you so far')).toBeVisible();
  await page
    .getByRole('link', { name: 'Calendar', exact: true })
    .first()
    .click()
    .catch(() => undefined);
  await expect(page.getByRole('heading', { name: 'No business' })).toBeVisible();
  await expect(page.getByText('You don’t belong to a business. Ask an owner to invite you, or create one.')).toBeVisible();
});

test('an invitation is for one account: others sign out and continue; declining and leaving are possible', async ({
  browser,
}) => {
  const [desk, other] = [await createDesk(mailing.installation), await createDesk(mailing.installation)];
  const owner = await ownerPage(browser, desk, '/settings/team');
  await invite(owner, other.email, 'Admin');

  // Signed in as somebody else.
  const page = await ownerPage(browser, desk, '/');
  const link = await invitationLink(other.email);
  await page.goto(link);
  await expect(page.getByText(`This invitation is for ${other.email}`)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign out and continue' }).click();
  await expect(page.getByText(`Sign in as ${other.email} to answer.`)).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue(other.email);
  await expectAccessible(page);
  await page.getByLabel('Password', { exact: true }).fill(other.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: `Join ${desk.handle}` })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await expect(page.getByRole('button', { name: `Switch business: ${desk.handle}` }).first()).toContainText('Admin');

  // The link has been used.
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible();

  // An admin leaves, is invited again, and declines.
  await page.goto('/settings/team');
  await page.getByRole('button', { name: 'Actions for you' }).click();
  await page.getByRole('menuitem', { name: 'Leave' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await expect(page.getByRole('button', { name: `Switch business: ${other.handle}` }).first()).toBeVisible();
  await owner.reload();
  await invite(owner, other.email, 'Viewer');
  await expect.poll(async () => (await invitationLink(other.email)) !== link).toBe(true);
  await page.goto(await invitationLink(other.email));
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByRole('heading', { name: 'Invitation declined' })).toBeVisible();
  await owner.reload();
  await expect(owner.getByText('Just you so far')).toBeVisible();
});

test('a business that requires a second factor shows how to set it up, and nothing else', async ({ browser }) => {
  const desk = await createDesk(mailing.installation);
  const page = await ownerPage(browser, desk, '/customers');
  await queryDatabase(
    await databaseOf(mailing.installation),
    'UPDATE identities SET requires_two_factor = true WHERE handle = $1',
    [desk.handle],
  );
  // The open page learns of it from its next call.
  await page.getByRole('link', { name: 'Agents', exact: true }).first().click();
  await expect(page.getByRole('heading', { name: `${desk.handle} requires two-factor authentication` })).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByRole('button', { name: `Leave ${desk.handle}…` })).toBeVisible();
  await page.getByRole('link', { name: 'Set up two-factor authentication' }).click();
  await expect(page.getByRole('button', { name: 'Set up two-factor sign-in' })).toBeVisible();
  await page.goto('/settings/team');
  await expect(page.getByRole('heading', { name: `${desk.handle} requires two-factor authentication` })).toBeVisible();
  await expect(page.getByRole('button', { name: `Switch business: ${desk.handle}` }).first()).toBeEnabled();
});
