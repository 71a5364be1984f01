import type { APIRequestContext, Page } from '@playwright/test';
import { expectAccessible, expectNoSidewaysScroll, signIn } from '../support/browser';
import { expect, type Tenant, test } from '../support/test';

interface StoredEvent {
  id: string;
  title: string;
  startTime: string;
  endTime: string;
  location: string;
  status: string;
  revision: number;
}

const panel = (page: Page) => page.getByRole('dialog');
const question = (page: Page) => page.getByRole('alertdialog');
const headers = ({ key }: Tenant) => ({ Authorization: `Bearer ${key}` });

/** An event of the tenant's in a week of its own, with two invitees unless told otherwise. */
async function createEvent(request: APIRequestContext, tenant: Tenant, fields: object = {}): Promise<StoredEvent> {
  const data = {
    title: 'Tyres',
    startTime: '2031-05-14T09:00:00Z',
    endTime: '2031-05-14T10:00:00Z',
    timezone: 'UTC',
    invitees: [{ email: 'ann@quark.example', name: 'Ann Quark' }, { email: 'bob@quark.example' }],
    ...fields,
  };
  const response = await request.post('/api/v1/calendar/events', { headers: headers(tenant), data });
  expect(response.status()).toBe(201);
  return (await response.json()).event;
}

async function readEvents(request: APIRequestContext, tenant: Tenant): Promise<StoredEvent[]> {
  const response = await request.get('/api/v1/calendar/events', { headers: headers(tenant) });
  expect(response.status()).toBe(200);
  return (await response.json()).events;
}

/** What waits in the tenant's outbox, as `invitation to ann@quark.example`, sorted. */
async function mailsOf(page: Page): Promise<string[]> {
  const response = await page.request.get('/api/trpc/mail.outbox?input=%7B%7D');
  const { emails } = (await response.json()).result.data as { emails: { kind: string; recipients: string[] }[] };
  return emails.flatMap(({ kind, recipients }) => recipients.map((recipient) => `${kind} to ${recipient}`)).sort();
}

const invitations = ['invitation to ann@quark.example', 'invitation to bob@quark.example'];

/** The panel with an event, as a mail's link opens it. */
async function openEvent(page: Page, tenant: Tenant, { id }: StoredEvent): Promise<void> {
  await signIn(page, tenant, `/calendar?event=${id}`);
  await expect(panel(page).getByRole('button', { name: 'Edit' })).toBeVisible();
}

async function openEditor(page: Page, tenant: Tenant, event: StoredEvent): Promise<void> {
  await openEvent(page, tenant, event);
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  await expect(panel(page).getByLabel('Title')).toBeFocused();
}

const choose = async (page: Page, action: RegExp) => {
  await panel(page).getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: action }).click();
};

test.describe('in Berlin', () => {
  test.use({ timezoneId: 'Europe/Berlin', locale: 'en-GB' });

  test('a new event is sent to those who are invited, and shown with its answers', async ({ page, tenant, request }) => {
    const contacts = [{ email: 'bob@quark.example', displayName: 'Bob Hill' }];
    await request.post('/api/v1/identity/customers', { headers: headers(tenant), data: { contacts } });
    await signIn(page, tenant, '/calendar');
    await page.getByRole('button', { name: 'New event' }).first().click();
    await expect(panel(page).getByLabel('Title')).toBeFocused();
    await panel(page).getByLabel('Title').fill('Spring tyres');
    await panel(page).getByLabel('Start date').fill('2031-03-30');
    await panel(page).getByLabel('Start time').fill('02:30');
    await panel(page).getByLabel('End date').fill('2031-03-30');
    await panel(page).getByLabel('End time').fill('04:30');
    await panel(page).getByLabel('Repeats').selectOption('Every month on the 30th (skips shorter months)');

    const invitees = panel(page).getByRole('combobox', { name: 'Add guests' });
    await invitees.fill('Ann Quark <ann@quark.example>, nobody');
    await invitees.press('Enter');
    await expect(panel(page).getByText('“nobody” isn’t a valid email.')).toBeVisible();
    await expect(invitees).toHaveValue('nobody');
    // Enter takes the contact that is highlighted.
    await invitees.fill('bob');
    await expect(page.getByRole('option', { name: 'Bob Hill' })).toHaveAttribute('aria-selected', 'true');
    await invitees.press('Enter');
    await expect(panel(page).getByRole('textbox', { name: 'Name of bob@quark.example' })).toHaveValue('Bob Hill');
    await panel(page).getByRole('button', { name: 'Add a reminder 1 day before' }).click();
    await expectAccessible(page);
    await panel(page).getByRole('button', { name: 'Send 2 invitations' }).click();

    await expect(panel(page).getByRole('heading', { name: 'Spring tyres' })).toBeVisible();
    await expect(panel(page)).toContainText('2 guests: 2 pending');
    await expect(panel(page)).toContainText('1 day before');
    await expectAccessible(page);
    await expect.poll(() => mailsOf(page)).toEqual(invitations);
    // The clocks skip 02:30 that night.
    const [stored] = await readEvents(request, tenant);
    expect(stored).toMatchObject({ startTime: '2031-03-30T01:30:00.000Z', endTime: '2031-03-30T02:30:00.000Z' });
  });

  test('whole days are edited as dates, and the end follows the beginning', async ({ page, tenant, request }) => {
    const event = await createEvent(request, tenant, { timezone: 'Europe/Berlin', invitees: [] });
    await openEditor(page, tenant, event);
    await panel(page).getByLabel('Start date').fill('2031-05-20');
    await expect(panel(page).getByLabel('End date')).toHaveValue('2031-05-20');
    await panel(page).getByText('All day').click();
    await panel(page).getByLabel('End date').fill('2031-05-21');
    await panel(page).getByLabel('Title').press('Control+Enter');
    await expect(panel(page)).toContainText('Tuesday, 20 – Wednesday, 21 May 2031, all day');
    const [stored] = await readEvents(request, tenant);
    expect(stored).toMatchObject({ startTime: '2031-05-19T22:00:00.000Z', endTime: '2031-05-21T22:00:00.000Z' });
  });
});

test('a change asks before it mails those invited before, and mails only whom it says', async ({ page, tenant, request }) => {
  const event = await createEvent(request, tenant);
  await openEditor(page, tenant, event);
  await panel(page).getByLabel('Location').fill('Pier 4');
  await panel(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(question(page)).toContainText('Email 2 guests that “Tyres” was changed?');
  await question(page).getByRole('button', { name: 'Keep editing' }).click();
  expect((await readEvents(request, tenant))[0]?.location).toBe('');

  const invitees = panel(page).getByRole('combobox', { name: 'Add guests' });
  await invitees.fill('cy@quark.example');
  await panel(page).getByLabel('Location').focus();
  await panel(page).getByRole('button', { name: 'Save and send 1 invitation' }).click();
  await expect(question(page)).toContainText('1 new guest will be emailed an invitation either way.');
  await question(page).getByRole('button', { name: 'Don’t notify' }).click();
  await expect(panel(page).getByRole('heading', { name: 'Tyres' })).toBeVisible();
  await expect.poll(() => mailsOf(page)).toEqual([...invitations, 'invitation to cy@quark.example']);

  await panel(page).getByRole('button', { name: 'Edit' }).click();
  await panel(page).getByLabel('Title').fill('Winter tyres');
  await panel(page).getByRole('button', { name: 'Save', exact: true }).click();
  await question(page).getByRole('button', { name: 'Notify all 3' }).click();
  await expect(panel(page).getByRole('heading', { name: 'Winter tyres' })).toBeVisible();
  const updates = ['ann', 'bob', 'cy'].map((name) => `event_update to ${name}@quark.example`);
  await expect.poll(() => mailsOf(page)).toEqual([...updates, ...invitations, 'invitation to cy@quark.example']);

  // What invitees don't see is nobody's business.
  await panel(page).getByRole('button', { name: 'Edit' }).click();
  await panel(page).getByText('Green').click();
  await panel(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(panel(page).getByRole('button', { name: 'Edit' })).toBeVisible();
  expect(await mailsOf(page)).toHaveLength(6);
});

test('conflicts are named while one edits, and stand in nobody’s way', async ({ page, tenant, request }) => {
  await createEvent(request, tenant, { title: 'Dentist', startTime: '2031-05-15T09:30:00Z', endTime: '2031-05-15T11:00:00Z' });
  const event = await createEvent(request, tenant, { invitees: [], recurrence: 'weekly' });
  await openEditor(page, tenant, event);
  await expect(panel(page).getByText('Conflicts with 1 event')).toHaveCount(0);
  await panel(page).getByLabel('Start date').fill('2031-05-15');
  await expect(panel(page).getByText('Conflicts with 1 event')).toBeVisible();
  await expect(panel(page)).toContainText('Dentist');
  await expect(panel(page)).toContainText('Only the first event was checked for conflicts.');
  await expectAccessible(page);
  await panel(page).getByLabel('Start time').fill('11:00');
  await expect(panel(page).getByText('Conflicts with 1 event')).toHaveCount(0);
  await panel(page).getByLabel('Start time').fill('10:00');
  await expect(panel(page).getByText('Conflicts with 1 event')).toBeVisible();
  await panel(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(panel(page).getByRole('button', { name: 'Edit' })).toBeVisible();
});

test('cancelling keeps the event and mails who should know, deleting takes it away and mails nobody', async ({
  page,
  tenant,
  request,
}) => {
  const event = await createEvent(request, tenant);
  await openEvent(page, tenant, event);
  await choose(page, /^Cancel and notify/);
  await question(page).getByRole('button', { name: 'Cancel and notify 2' }).click();
  await expect(panel(page).getByText('Canceled', { exact: true })).toBeVisible();
  const cancellations = ['ann', 'bob'].map((name) => `event_cancellation to ${name}@quark.example`);
  await expect.poll(() => mailsOf(page)).toEqual([...cancellations, ...invitations]);
  expect((await readEvents(request, tenant))[0]?.status).toBe('cancelled');

  await panel(page).getByRole('button', { name: 'Restore' }).click();
  await question(page).getByRole('button', { name: 'Restore without notifying' }).click();
  await expect(panel(page).getByText('Canceled', { exact: true })).toHaveCount(0);
  await choose(page, /^Delete/);
  await expect(question(page)).toContainText('To let 2 guests know, cancel it first.');
  await question(page).getByRole('button', { name: 'Delete event' }).click();
  await expect(panel(page)).toHaveCount(0);
  expect(await readEvents(request, tenant)).toEqual([]);
  await page.keyboard.press('z');
  await expect.poll(async () => (await readEvents(request, tenant)).map(({ id }) => id)).toEqual([event.id]);
  expect(await mailsOf(page)).toEqual([...cancellations, ...invitations]);
});

test('a change and a deletion without guests can be undone at once', async ({ page, tenant, request }) => {
  const event = await createEvent(request, tenant, { invitees: [] });
  const titles = async () => (await readEvents(request, tenant)).map(({ title }) => title);
  await openEditor(page, tenant, event);
  await panel(page).getByLabel('Title').fill('Rims');
  await panel(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(panel(page).getByRole('heading', { name: 'Rims' })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(panel(page).getByRole('heading', { name: event.title })).toBeVisible();
  await choose(page, /^Delete/);
  await expect(panel(page)).toHaveCount(0);
  expect(await titles()).toEqual([]);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(titles).toEqual([event.title]);
});

test('two browsers on one event: the later one chooses, and what it typed stays', async ({ page, tenant, request, browser }) => {
  const event = await createEvent(request, tenant, { invitees: [] });
  await openEditor(page, tenant, event);
  await panel(page).getByLabel('Title').fill('Mine');
  const context = await browser.newContext();
  const other = await context.newPage();
  await openEditor(other, tenant, event);
  await panel(other).getByLabel('Title').fill('Theirs');
  await panel(other).getByLabel('Location').fill('Pier 4');
  await panel(other).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(panel(other).getByRole('heading', { name: 'Theirs' })).toBeVisible();
  await context.close();

  await panel(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(panel(page).getByText('This event was changed elsewhere')).toBeVisible();
  await expect(panel(page).getByLabel('Title')).toHaveValue('Mine');
  expect((await readEvents(request, tenant))[0]?.title).toBe('Theirs');
  await expectAccessible(page);
  await panel(page).getByRole('button', { name: 'Overwrite' }).click();
  await expect(panel(page).getByRole('heading', { name: 'Mine' })).toBeVisible();
  expect((await readEvents(request, tenant))[0]).toMatchObject({ title: 'Mine', location: 'Pier 4' });
});

test('what is typed survives a failure, a deletion elsewhere and a stray Escape', async ({ page, tenant, request }) => {
  const event = await createEvent(request, tenant, { invitees: [] });
  await openEditor(page, tenant, event);
  await panel(page).getByLabel('Title').fill('Rims');
  await page.keyboard.press('Escape');
  await expect(question(page)).toContainText('Discard changes?');
  await question(page).getByRole('button', { name: 'Keep editing' }).click();

  await page.route('**/api/trpc/calendar.update**', (route) => route.abort());
  await panel(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(panel(page).getByRole('alert')).toContainText('could not be reached');
  await page.unroute('**/api/trpc/calendar.update**');
  await request.delete(`/api/v1/calendar/events/${event.id}`, { headers: headers(tenant) });
  await panel(page).getByRole('button', { name: 'Save', exact: true }).click();
  await expect(panel(page)).toContainText('This event was deleted.');
  await panel(page).getByRole('button', { name: 'Save as new event' }).click();
  await expect(panel(page).getByRole('heading', { name: 'Rims' })).toBeVisible();
  expect((await readEvents(request, tenant)).map(({ title }) => title)).toEqual(['Rims']);
  await page.keyboard.press('Escape');
  await expect(panel(page)).toHaveCount(0);
});

test.describe('on a phone in the dark', () => {
  test.use({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' });

  test('the panel is the page, and fits however long its words are', async ({ page, tenant, request }) => {
    const long = 'Verylongwordwithoutanyspaces'.repeat(6);
    const event = await createEvent(request, tenant, {
      title: long,
      location: long,
      description: `https://quark.example/${long}`,
      virtualMeeting: { provider: 'custom', url: `https://quark.example/${long}`, password: long },
      invitees: [{ email: `${'x'.repeat(60)}@${'y'.repeat(60)}.example`, name: long }],
    });
    await openEvent(page, tenant, event);
    await expectNoSidewaysScroll(page);
    expect(await panel(page).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await expectAccessible(page);
    await panel(page).getByRole('button', { name: 'Edit' }).click();
    await expect(panel(page).getByLabel('Title')).toBeFocused();
    expect(await panel(page).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await expectAccessible(page);
  });
});
