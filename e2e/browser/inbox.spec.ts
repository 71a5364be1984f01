import type { Page, Request, Response } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, signIn, untilHydrated } from '../support/browser';
import { deliverMail } from '../support/mail';
import { expect, type Tenant, test } from '../support/test';

const rows = (page: Page) => page.getByRole('list', { name: 'Conversations' }).getByRole('listitem');
const row = (page: Page, name: string) => rows(page).filter({ hasText: name });
const subject = (page: Page) => page.getByRole('heading', { level: 1 });
const messages = (page: Page) => page.getByRole('list', { name: 'Messages' }).getByRole('article');
const headersOf = ({ key }: Tenant) => ({ Authorization: `Bearer ${key}` });

test('the first mail appears by itself, is read when it is opened, and unread again when asked', async ({
  page,
  tenant,
  request,
}) => {
  await signIn(page, tenant, '/inbox');
  await expect(subject(page)).toHaveText('Inbox');
  await expect(rows(page)).toHaveCount(0);
  const { conversationId } = await deliverMail(request, tenant, { subject: 'Brakes squeal', text: 'Good morning' });
  await expect(rows(page)).toContainText(['Ann Quark']);
  await expect(rows(page)).toContainText(['Unread.']);
  await expect(page).toHaveTitle('(1) Inbox · Frontdesk');

  await row(page, 'Brakes squeal').click();
  await expect(page).toHaveURL(`/inbox/${conversationId}`);
  await expect(messages(page)).toContainText(['Good morning']);
  await expect(page).toHaveTitle('Brakes squeal · Frontdesk');
  await expect(rows(page)).not.toContainText(['Unread.']);
  const stored = async () =>
    (await (await request.get(`/api/v1/conversations/${conversationId}`, { headers: headersOf(tenant) })).json()).isRead;
  await expect.poll(stored).toBe(true);

  await page.getByRole('button', { name: 'Mark as unread' }).click();
  await expect(page).toHaveURL('/inbox');
  await expect(rows(page)).toContainText(['Unread.']);
  await expect.poll(stored).toBe(false);
});

test('keys walk along the list, archive with a way back, and leave typing alone', async ({ page, tenant, request }) => {
  for (const name of ['Third', 'Second', 'First']) {
    await deliverMail(request, tenant, { from: `${name} <${name.toLowerCase()}@quark.example>`, subject: `Mail of ${name}` });
  }
  await signIn(page, tenant, '/inbox');
  await expect(rows(page)).toHaveCount(3);
  await untilHydrated(page);
  await page.keyboard.press('j');
  await expect(subject(page)).toHaveText('Mail of First');
  await page.keyboard.press('j');
  await expect(subject(page)).toHaveText('Mail of Second');
  await page.keyboard.press('k');
  await expect(subject(page)).toHaveText('Mail of First');

  await page.keyboard.press('e');
  await expect(subject(page)).toHaveText('Mail of Second');
  await expect(row(page, 'Mail of First')).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row(page, 'Mail of First')).toHaveCount(1);

  await page.keyboard.press('/');
  await page.keyboard.type('je!');
  await expect(page).toHaveURL(/q=je/);
  await expect(page.getByText('No results')).toBeVisible();
  await page.getByRole('button', { name: 'Clear search and filters' }).click();
  await expect(rows(page)).toHaveCount(3);
  await expect(subject(page)).toHaveText('Mail of Second');

  await subject(page).click();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL('/inbox');
});

test('a key pressed while a conversation loads is for that one, and none for the one before it', async ({
  page,
  tenant,
  request,
}) => {
  let conversationId = '';
  for (const name of ['Fourth', 'Third', 'Second', 'First']) {
    ({ conversationId } = await deliverMail(request, tenant, { subject: `Mail of ${name}` }));
  }
  await signIn(page, tenant, '/inbox');
  await untilHydrated(page);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/inbox\/[^/]+_rsc=/, (route) => released.then(() => route.continue()));
  const isLoading = (name: string) => expect(row(page, `Mail of ${name}`).getByRole('link')).toHaveAttribute('aria-current', /./);

  await page.keyboard.press('j');
  await isLoading('First');
  await page.keyboard.press('e');
  // Meanwhile another one is opened: what was pressed for the first one is not for it.
  await row(page, 'Mail of Third').click();
  await isLoading('Third');
  await page.keyboard.press('#');
  release();
  await expect(page.getByText('Moved to trash')).toBeVisible();
  await expect(subject(page)).toHaveText('Mail of Fourth');
  await expect(rows(page)).toHaveCount(3);
  await expect(rows(page)).toContainText(['Mail of First', 'Mail of Second', 'Mail of Fourth']);

  // With a conversation on the page, too.
  await page.keyboard.press('k');
  await page.keyboard.press('#');
  await expect(subject(page)).toHaveText('Mail of Fourth');
  await expect(rows(page)).toContainText(['Mail of First', 'Mail of Fourth']);
  await expect(rows(page)).toHaveCount(2);

  // Opening marks as read, and "unread" does not overtake that.
  const marking = (isRead: boolean) => (exchange: Request | Response) => {
    const sent = 'request' in exchange ? exchange.request() : exchange;
    return sent.postData()?.startsWith(`{"conversationId":"${conversationId}","isRead":${isRead}`) === true;
  };
  const [read, unread] = [page.waitForResponse(marking(true)), page.waitForResponse(marking(false))];
  let overtaking: Promise<Response> | undefined;
  await page.route(/conversations\.update/, async (route) => {
    if (marking(false)(route.request())) overtaking = unread;
    if (marking(true)(route.request())) {
      await page.waitForURL('/inbox');
      await overtaking;
    }
    await route.continue();
  });
  await page.keyboard.press('k');
  await page.keyboard.press('u');
  await Promise.all([read, unread]);
  const stored = await request.get(`/api/v1/conversations/${conversationId}`, { headers: headersOf(tenant) });
  expect(await stored.json()).toMatchObject({ subject: 'Mail of First', isRead: false });
});

test('archived conversations and spam have views of their own, and filters stay in the address', async ({
  page,
  tenant,
  request,
}) => {
  const archived = await deliverMail(request, tenant, { subject: 'Old offer' });
  const spam = await deliverMail(request, tenant, { subject: 'You have won' });
  await deliverMail(request, tenant, { subject: 'Open question' });
  const headers = headersOf(tenant);
  await request.patch(`/api/v1/conversations/${archived.conversationId}`, { headers, data: { isArchived: true } });
  await request.patch(`/api/v1/conversations/${spam.conversationId}`, { headers, data: { isSpam: true, status: 'completed' } });
  await signIn(page, tenant, '/inbox');
  const views = page.getByRole('navigation', { name: 'Views' });
  await expect(rows(page)).toContainText(['Open question']);
  await expect(rows(page)).toHaveCount(1);
  await views.getByRole('link', { name: 'Archived' }).click();
  await expect(rows(page)).toContainText(['Old offer']);
  await expect(rows(page)).toHaveCount(1);
  await views.getByRole('link', { name: 'Spam' }).click();
  await expect(rows(page)).toContainText(['You have won']);
  await expect(rows(page)).toHaveCount(1);

  await page.getByRole('button', { name: 'Status' }).click();
  await page.getByRole('menuitemradio', { name: 'Done' }).click();
  await expect(page).toHaveURL('/inbox?view=spam&status=completed');
  await row(page, 'You have won').click();
  await expect(page).toHaveURL(`/inbox/${spam.conversationId}?view=spam&status=completed`);
  await page.getByRole('button', { name: 'Not spam' }).click();
  await expect(page).toHaveURL('/inbox?view=spam&status=completed');
  await expect(page.getByText('No results')).toBeVisible();
  await page.reload();
  await expect(page.getByRole('button', { name: 'Status: Done' })).toBeVisible();
});

test('a mail with HTML runs nothing and loads nothing from elsewhere until asked', async ({ page, tenant, request }) => {
  const asked: string[] = [];
  await page.route('https://pics.example/**', (route) => {
    asked.push(route.request().url());
    return route.fulfill({
      contentType: 'image/svg+xml',
      body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
    });
  });
  const html = `<p>Look at this</p><script>document.title = 'run'</script><img src="https://pics.example/a.svg" onerror="parent.document.title = 'run'"
    width="80" height="40" alt="A bicycle"><img src="cid:logo.png" alt="Our logo"><a href="javascript:parent.document.title = 'run'">link</a>`;
  const { conversationId } = await deliverMail(request, tenant, {
    subject: 'Pictures',
    text: 'Look at this, in text',
    html,
    picture: {
      filename: 'logo.png',
      content: Buffer.from(
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
        'base64',
      ),
    },
  });
  await signIn(page, tenant, `/inbox/${conversationId}`);
  const mail = page.frameLocator('iframe[title^="Message from Ann Quark"]');
  await expect(mail.getByText('Look at this')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show images' })).toBeVisible();
  expect(asked).toEqual([]);
  await expectAccessible(page);
  await mail.getByText('link').click();
  await expect(page).toHaveTitle('Pictures · Frontdesk');

  await page.getByRole('button', { name: 'Show images' }).click();
  await expect(mail.getByRole('img', { name: 'A bicycle' })).toHaveAttribute('src', 'https://pics.example/a.svg');
  await expect(page.getByRole('button', { name: 'Show images' })).toHaveCount(0);
  await expect.poll(() => asked).toContain('https://pics.example/a.svg');

  const message = page.getByRole('article', { name: 'Message from Ann Quark' });
  await message.getByRole('button', { name: 'Pictures in the text (1)' }).click();
  await message.getByRole('button', { name: 'Delete logo.png' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete attachment' }).click();
  await expect(message.getByRole('list', { name: 'Attachments' })).toContainText('logo.png');
  await expect(message.getByRole('button', { name: 'Pictures in the text' })).toHaveCount(0);

  await page.getByRole('button', { name: 'Show plain text' }).click();
  await expect(messages(page)).toContainText(['Look at this, in text']);
});

test('a reply in plain text folds what it quotes, links safely, and its file can be downloaded and deleted', async ({
  page,
  tenant,
  request,
}) => {
  const id = `<first.${tenant.handle}@quark.example>`;
  await deliverMail(request, tenant, { subject: 'Offer', text: 'What does it cost?', headers: [`Message-ID: ${id}`] });
  const text = 'See https://quark.example/list.\n\nOn Mon, 16 Nov 2026, Ann Quark wrote:\n> What does it cost?\n';
  const { conversationId } = await deliverMail(request, tenant, {
    from: 'Bob Hill <bob@quark.example>',
    subject: 'Re: Offer',
    text,
    attachment: { filename: 'prices.csv', content: 'bike;1200' },
    headers: [`In-Reply-To: ${id}`],
  });
  await signIn(page, tenant, `/inbox/${conversationId}`);
  await expect(messages(page)).toHaveCount(2);
  const reply = page.getByRole('article', { name: 'Message from Bob Hill' });
  await expect(reply.getByRole('link', { name: 'https://quark.example/list' })).toHaveAttribute('rel', /noopener/);
  await expect(reply).not.toContainText('What does it cost?');
  await reply.getByRole('button', { name: 'Show quoted text' }).click();
  await expect(reply).toContainText('> What does it cost?');

  await reply.getByRole('button', { name: /^to / }).click();
  await expect(reply).toContainText('Bob Hill <bob@quark.example>');
  const download = page.waitForEvent('download');
  await reply.getByRole('link', { name: /prices\.csv/ }).click();
  expect((await download).suggestedFilename()).toBe('prices.csv');

  await reply.getByRole('button', { name: 'Delete prices.csv' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete attachment' }).click();
  await expect(reply.getByRole('list', { name: 'Attachments' })).toContainText('9 B, deleted');
  await expect(reply.getByRole('link', { name: /prices\.csv/ })).toHaveCount(0);
});

test('beside the thread stands whom it is with, and how to make them a customer', async ({ page, tenant, request }) => {
  const { conversationId } = await deliverMail(request, tenant, { subject: 'First question' });
  const earlier = await deliverMail(request, tenant, { subject: 'Another question' });
  await signIn(page, tenant, `/inbox/${conversationId}`);
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details).toContainText('ann@quark.example');
  await expect(details.getByRole('link', { name: /Another question/ })).toHaveAttribute(
    'href',
    `/inbox/${earlier.conversationId}`,
  );
  await details.getByRole('link', { name: 'Add as customer' }).click();
  await expect(page.getByRole('textbox', { name: 'Email' })).toHaveValue('ann@quark.example');
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue('Ann Quark');
  await page.getByRole('textbox', { name: 'Company' }).fill('Quark Labs');
  await page.getByRole('button', { name: 'Create customer' }).click();
  await expect(subject(page)).toHaveText('Quark Labs');

  await page.goto(`/inbox/${conversationId}`);
  await expect(details.getByRole('link', { name: 'Quark Labs' })).toBeVisible();
});

test('what another identity owns is not found', async ({ page, tenant, createTenant, request }) => {
  const foreign = await createTenant();
  const { conversationId } = await deliverMail(request, foreign, { subject: 'Secret plan' });
  await signIn(page, tenant, '/inbox');
  await page.goto(`/inbox/${conversationId}`);
  await expect(subject(page)).toHaveText('Conversation not found');
  await expect(page.getByText('Secret plan')).toHaveCount(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('list, thread and details are pages of their own', async ({ page, tenant, request }) => {
    const long = 'Verylongsubjectwithoutanyspaces'.repeat(6);
    const { conversationId } = await deliverMail(request, tenant, { subject: long, text: long });
    await signIn(page, tenant, '/inbox');
    await expect(rows(page)).toHaveCount(1);
    await expectNoSidewaysScroll(page);
    await rows(page).click();
    await expect(page).toHaveURL(`/inbox/${conversationId}`);
    await expect(subject(page)).toHaveText(long);
    await expect(rows(page)).toBeHidden();
    await expectNoSidewaysScroll(page);
    await page.getByRole('button', { name: 'Details' }).click();
    const details = page.getByRole('dialog', { name: 'Details' });
    await expect(details).toContainText('ann@quark.example');
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(details).toHaveCount(0);
    await page.getByRole('link', { name: 'Inbox' }).first().click();
    await expect(rows(page)).toBeVisible();
  });
});

test('a search looks in all folders and says where it found something', async ({ page, tenant, request }) => {
  const headers = { Authorization: `Bearer ${tenant.key}` };
  const to = `inbox-manager@${tenant.handle}.localhost`;
  const ids: Record<string, string> = {};
  for (const name of ['Open', 'Archived', 'Spam'])
    ids[name] = (await deliverMail(request, tenant, { to, subject: `${name} offer` })).conversationId;
  await request.patch(`/api/v1/conversations/${ids.Archived}`, { headers, data: { isArchived: true } });
  await request.patch(`/api/v1/conversations/${ids.Spam}`, { headers, data: { isSpam: true } });
  await signIn(page, tenant, '/inbox');
  const list = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem');
  await expect(list).toHaveCount(1);
  await page.getByRole('searchbox', { name: 'Search conversations' }).fill('offer');
  await expect(list).toHaveCount(3);
  await expect(list.filter({ hasText: 'Archived offer' }).getByText('Archived', { exact: true })).toBeVisible();
  await expect(list.filter({ hasText: 'Spam offer' }).getByText('Spam', { exact: true })).toBeVisible();
  await expect(page.getByText('Includes archived conversations')).toBeVisible();

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search for pages, actions and records' }).fill('spam offer');
  const option = page.getByRole('option', { name: /Spam offer/ });
  await expect(option).toContainText('Spam · ');
  await expect(option).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(ids.Spam ?? 'none'));
});

test.describe('in the dark', () => {
  test.use({ colorScheme: 'dark' });

  test('formatted mail is light on dark, and shown as it was sent when asked', async ({ page, tenant, request }) => {
    const html = '<div style="background: #ffffff; color: #111111"><p>Hello</p><p style="color: #000080">Blue</p></div>';
    const { conversationId } = await deliverMail(request, tenant, { subject: 'Colours', html });
    await signIn(page, tenant, `/inbox/${conversationId}`);
    const frame = page.locator('iframe[title$="formatted"]');
    await expect(frame.contentFrame().getByText('Hello')).toBeVisible();
    /** From 0 (black) to 255, over all that the frame shows. */
    const lightness = async () => {
      const picture = (await frame.screenshot()).toString('base64');
      return page.evaluate(async (data) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext('2d');
        context?.drawImage(image, 0, 0);
        const pixels = context?.getImageData(0, 0, image.width, image.height).data ?? [];
        let sum = 0;
        for (let index = 0; index < pixels.length; index += 4) sum += pixels[index + 1] ?? 0;
        return sum / (pixels.length / 4);
      }, picture);
    };
    await expect.poll(lightness).toBeLessThan(80);
    await page.getByRole('button', { name: 'Show original colors' }).click();
    await expect.poll(lightness).toBeGreaterThan(180);
  });
});
