import type { Browser, Page } from '@playwright/test';
import { expectAccessible, expectFitsPhone, signIn } from '../support/browser';
import { rows } from '../support/inbox';
import { deliverMail } from '../support/mail';
import { addMember, nameOwner } from '../support/member';
import { expect, type Tenant, test } from '../support/test';

/** Two members with the same conversation open: who takes care of it, who is answering, and the warning before a second answer. */

/** A further member, signed in with a browser of their own. */
async function memberPage(browser: Browser, tenant: Tenant, name: string, path: string): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await signIn(page, await addMember(tenant, name), path);
  return page;
}

const composer = (page: Page) => page.getByRole('form', { name: 'Reply' });
const messageField = (page: Page) => composer(page).getByRole('textbox', { name: 'Message' });
const send = (page: Page) => composer(page).getByRole('button', { name: 'Send', exact: true });
const assignee = (page: Page) => page.getByRole('main').getByRole('button', { name: /^Assignee: / });
const row = (page: Page) => rows(page).first();

async function openComposer(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Reply to/ }).click();
  await expect(messageField(page)).toBeFocused();
}

test('two members share a conversation', async ({ page: ours, browser, tenant, request }) => {
  await nameOwner(tenant, 'Olga');
  const { conversationId } = await deliverMail(request, tenant, { subject: 'Opening hours' });
  const path = `/inbox/${conversationId}`;
  const theirs = await memberPage(browser, tenant, 'Mara', path);
  await signIn(ours, tenant, path);

  // Each sees that the other is there.
  await expect(ours.getByText('Mara is viewing')).toBeVisible();
  await expect(theirs.getByText('Olga is viewing')).toBeVisible();

  // Assigned by the menu, and by its shortcut.
  await expect(assignee(ours)).toHaveText('Unassigned');
  await assignee(ours).click();
  await expectAccessible(ours);
  await ours.getByRole('menuitemradio', { name: 'Mara', exact: true }).click();
  await expect(assignee(ours)).toContainText('Mara');
  await expect(row(ours)).toContainText('Assigned to Mara');
  await expect(assignee(theirs)).toContainText('Me');
  await theirs.keyboard.press('a');
  await expect(theirs.getByRole('menuitemradio', { name: 'Me', exact: true })).toBeChecked();
  await theirs.keyboard.press('Escape');

  // The list by assignee.
  await ours.getByRole('button', { name: 'Assignee', exact: true }).click();
  await ours.getByRole('menuitemradio', { name: 'Assigned to me' }).click();
  await expect(ours.getByText('No results')).toBeVisible();
  await ours.getByRole('button', { name: 'Clear search and filters' }).click();
  await expect(row(ours)).toContainText('Opening hours');
  await ours.goto(path);

  // One begins to answer, which the other learns before sending.
  await openComposer(theirs);
  await messageField(theirs).fill('Until four.');
  await expect(ours.getByText('Mara is answering')).toBeVisible();
  await openComposer(ours);
  await messageField(ours).fill('Until five.');
  await expectFitsPhone(ours);
  await send(ours).click();
  const early = ours.getByRole('alertdialog', { name: 'Mara is answering too' });
  await expect(early.getByRole('button', { name: 'Read first' })).toBeFocused();
  await expectAccessible(ours);
  await ours.keyboard.press('Escape');
  await expect(early).toHaveCount(0);
  await expect(messageField(ours)).toHaveValue('Until five.');

  // The other answer is sent.
  await expect(theirs.getByText('Olga is answering')).toBeVisible();
  await send(theirs).click();
  await theirs.getByRole('alertdialog', { name: 'Olga is answering too' }).getByRole('button', { name: 'Send anyway' }).click();
  await expect(composer(theirs)).toHaveCount(0);
  await expect(ours.getByText('Mara is answering')).toHaveCount(0);
  await send(ours).click();
  const late = ours.getByRole('alertdialog', { name: 'Mara has answered' });
  await late.getByRole('button', { name: 'Read first' }).click();
  await expect(messageField(ours)).toHaveValue('Until five.');
  await expect(ours.getByRole('main').getByText('Until four.').last()).toBeVisible();

  // Having read it, they are not asked again.
  await send(ours).click();
  await expect(composer(ours)).toHaveCount(0);
  await expect(ours.getByRole('main').getByText('Until five.').last()).toBeVisible();

  await theirs.getByRole('link', { name: 'Customers', exact: true }).click();
  await expect(ours.getByText('Mara is viewing')).toHaveCount(0);
  await theirs.context().close();
});

test('what a member does is told in order', async ({ page: ours, browser, tenant, request }) => {
  const { conversationId } = await deliverMail(request, tenant, { subject: 'Opening hours' });
  const path = `/inbox/${conversationId}`;
  const theirs = await memberPage(browser, tenant, 'Mara', path);
  await signIn(ours, tenant, path);
  await expect(ours.getByText('Mara is viewing')).toBeVisible();

  // The first request is slow. The one after it must not overtake it, and be undone by it.
  const told: string[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await theirs.route(/conversations\.presence/, async (route) => {
    told.push(/answering|viewing/.exec(route.request().postData() ?? '')?.[0] ?? '');
    await released;
    await route.continue();
  });
  await openComposer(theirs);
  await expect.poll(() => told.at(-1)).toBe('answering');
  const before = told.length;
  await theirs.keyboard.press('Escape');
  await expect(composer(theirs)).toHaveCount(0);
  await theirs.evaluate(() => new Promise(requestAnimationFrame));
  expect(told).toHaveLength(before);
  release();
  await expect.poll(() => told.at(-1)).toBe('viewing');
  await expect(ours.getByText('Mara is viewing')).toBeVisible();
  await theirs.context().close();
});
