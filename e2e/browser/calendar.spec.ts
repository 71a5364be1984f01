import type { APIRequestContext, Locator, Page } from '@playwright/test';
import {
  collectBrowserErrors,
  expectAccessible,
  expectAccessibleInBothThemes,
  expectNoSidewaysScroll,
  signIn,
} from '../support/browser';
import { expect, type Tenant, test } from '../support/test';

/** The calendar and what is done in it with mouse and keys. The event panel's own fields have tests beside it. */

// Berlin is an hour ahead of UTC in winter; the week is one that no test run takes place in.
test.use({ timezoneId: 'Europe/Berlin', locale: 'en-GB', viewport: { width: 1280, height: 900 } });

const monday = '2031-11-24';
const week = `/calendar?view=week&date=${monday}`;
const headersOf = ({ key }: Tenant) => ({ Authorization: `Bearer ${key}` });
const shown = (page: Page, title: string | RegExp) =>
  page.getByRole('region', { name: 'Calendar' }).getByRole('button', { name: title });

interface StoredEvent {
  id: string;
  startTime: string;
  endTime: string;
  revision: number;
  invitees: { id: string; responseStatus: string }[];
}

/** From 10:00 to 11:00 of that Monday in Berlin unless said otherwise. */
async function plan(request: APIRequestContext, tenant: Tenant, fields: object = {}): Promise<StoredEvent> {
  const data = {
    title: 'Wheel truing',
    startTime: `${monday}T09:00:00Z`,
    endTime: `${monday}T10:00:00Z`,
    timezone: 'Europe/Berlin',
    ...fields,
  };
  const answer = await request.post('/api/v1/calendar/events', { headers: headersOf(tenant), data });
  expect(answer.status()).toBe(201);
  return (await answer.json()).event;
}

async function stored(request: APIRequestContext, tenant: Tenant, id: string): Promise<StoredEvent> {
  return (await (await request.get(`/api/v1/calendar/events/${id}`, { headers: headersOf(tenant) })).json()).event;
}

async function boxOf(event: Locator) {
  await event.scrollIntoViewIfNeeded();
  const box = await event.boundingBox();
  if (!box) throw new Error('It is not there to be dragged.');
  return box;
}

/** Drags from a point by so much, in steps, as a hand does. */
async function drag(page: Page, from: { x: number; y: number }, by: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(from.x + by.x / 2, from.y + by.y / 2, { steps: 5 });
  await page.mouse.move(from.x + by.x, from.y + by.y, { steps: 5 });
  await page.mouse.up();
}

/** How wide a day of the week view is. */
async function dayWidth(page: Page): Promise<number> {
  const [first, second] = [page.getByRole('link', { name: /24/ }).first(), page.getByRole('link', { name: /25/ }).first()];
  return (await boxOf(second)).x - (await boxOf(first)).x;
}

test('without events it says what a calendar is for', async ({ page, tenant }) => {
  await signIn(page, tenant, '/calendar?view=agenda');
  await expect(page.getByRole('heading', { name: 'No events yet' })).toBeVisible();
  await expectAccessible(page);
  for (const view of ['Week', 'Day']) {
    await page.getByRole('radio', { name: view }).locator('..').click();
    await expect(page.getByText('All day', { exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'No events yet' })).toBeVisible();
    await expectAccessible(page);
  }
  await page.getByRole('button', { name: 'Create your first event' }).click();
  await expect(page.getByRole('dialog', { name: 'New event' })).toBeVisible();
});

test('a click on a time makes an event there, which every view shows', async ({ page, tenant, request }) => {
  await plan(request, tenant);
  await signIn(page, tenant, week);
  const other = await boxOf(shown(page, 'Wheel truing'));
  // Two hours below, on the same day: 12:00.
  await page.mouse.click(other.x + 20, other.y + other.height * 2 + 5);
  const panel = page.getByRole('dialog');
  await panel.getByLabel('Title').fill('Fitting: Ann');
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect(page).toHaveURL(/event=/);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(shown(page, 'Fitting: Ann')).toContainText('12:00');
  for (const view of ['Month', 'Day', 'Agenda']) {
    await page.getByRole('radio', { name: view }).locator('..').click();
    await expect(page).toHaveURL(new RegExp(`view=${view.toLowerCase()}`));
    await expect(shown(page, 'Fitting: Ann')).toBeVisible();
  }
});

test('an event is dragged to another day and time, and back by undo', async ({ page, tenant, request }) => {
  const { id } = await plan(request, tenant);
  await signIn(page, tenant, week);
  const event = shown(page, 'Wheel truing');
  const box = await boxOf(event);
  // The event is an hour high.
  await drag(page, { x: box.x + 20, y: box.y + 8 }, { x: await dayWidth(page), y: box.height });
  await expect(page.getByText('Event moved')).toBeVisible();
  await expect.poll(async () => (await stored(request, tenant, id)).startTime).toBe('2031-11-25T10:00:00.000Z');
  await expect(event).toContainText('11:00');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await stored(request, tenant, id)).startTime).toBe('2031-11-24T09:00:00.000Z');
  await expect(event).toContainText('10:00');
});

test('a dragged occurrence takes its series along, by the clock of its zone', async ({ page, tenant, request }) => {
  // Begins in summer time, so the same clock is another moment.
  const { id } = await plan(request, tenant, {
    startTime: '2031-10-20T08:00:00Z',
    endTime: '2031-10-20T09:00:00Z',
    recurrence: 'weekly',
  });
  await signIn(page, tenant, week);
  const box = await boxOf(shown(page, 'Wheel truing'));
  await drag(page, { x: box.x + 20, y: box.y + 8 }, { x: await dayWidth(page), y: box.height });
  await page.getByRole('alertdialog').getByRole('button', { name: 'Move all events' }).click();
  await expect(page.getByText('Series moved')).toBeVisible();
  await expect.poll(async () => (await stored(request, tenant, id)).startTime).toBe('2031-10-21T09:00:00.000Z');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByRole('heading', { name: /1.*7 Dec 2031/ })).toBeAttached();
  await expect(shown(page, 'Wheel truing')).toContainText('11:00');
});

test('before invitees are mailed somebody asks, and staying leaves everything as it was', async ({ page, tenant, request }) => {
  const { id, startTime } = await plan(request, tenant, { invitees: [{ email: 'ann@quark.example' }] });
  await signIn(page, tenant, week);
  const event = shown(page, 'Wheel truing');
  const box = await boxOf(event);
  const dragIt = async () => drag(page, { x: box.x + 20, y: box.y + 8 }, { x: 0, y: box.height });
  await dragIt();
  await page.getByRole('alertdialog').waitFor();
  await page.keyboard.press('Escape');
  // While it goes it still lies over the page.
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(event).toContainText('10:00');
  expect((await stored(request, tenant, id)).startTime).toBe(startTime);
  await dragIt();
  await page.getByRole('alertdialog').getByRole('button').first().click();
  await expect(page.getByText('1 guest notified')).toBeVisible();
  await expect.poll(async () => (await stored(request, tenant, id)).startTime).toBe('2031-11-24T10:00:00.000Z');
});

test('an event that was changed elsewhere is not moved', async ({ page, tenant, request }) => {
  const { id } = await plan(request, tenant);
  await signIn(page, tenant, week);
  const event = shown(page, 'Wheel truing');
  const box = await boxOf(event);
  const data = { startTime: `${monday}T13:00:00Z`, endTime: `${monday}T14:00:00Z` };
  await page.mouse.move(box.x + 20, box.y + 8);
  await page.mouse.down();
  await page.mouse.move(box.x + 20, box.y + 40, { steps: 5 });
  expect((await request.patch(`/api/v1/calendar/events/${id}`, { headers: headersOf(tenant), data })).status()).toBe(200);
  await page.mouse.move(box.x + 20, box.y + 8 + box.height, { steps: 5 });
  await page.mouse.up();
  await expect(page.getByText('This event was changed elsewhere')).toBeVisible();
  await expect(event).toContainText('14:00');
  expect((await stored(request, tenant, id)).startTime).toBe('2031-11-24T13:00:00.000Z');
});

test('dragging one date of a series asks before it moves them all', async ({ page, tenant, request }) => {
  const { id, startTime } = await plan(request, tenant, { recurrence: 'weekly' });
  await signIn(page, tenant, week);
  const dragDown = async () => {
    const { x, y, height } = await boxOf(shown(page, 'Wheel truing'));
    await drag(page, { x: x + 20, y: y + 8 }, { x: 0, y: height });
  };
  const question = page.getByRole('alertdialog');
  await dragDown();
  await expect(question).toContainText('Move the whole series?');
  await question.getByRole('button', { name: 'Keep original time' }).click();
  await expect(question).toHaveCount(0);
  expect((await stored(request, tenant, id)).startTime).toBe(startTime);
  await dragDown();
  await question.getByRole('button', { name: 'Move all events' }).click();
  await expect(page.getByText('Series moved')).toBeVisible();
  expect((await stored(request, tenant, id)).startTime).not.toBe(startTime);
});

test('whole days are the dates of the event’s zone, wherever they are looked at', async ({ page, tenant, request }) => {
  await plan(request, tenant, {
    title: 'Closed',
    startTime: '2031-11-26T00:00:00+13:00',
    endTime: '2031-11-27T00:00:00+13:00',
    timezone: 'Pacific/Auckland',
    allDay: true,
  });
  await signIn(page, tenant, week);
  const column = await boxOf(page.getByRole('link', { name: /26/ }).first());
  const event = await boxOf(shown(page, 'Closed'));
  expect(column.x + column.width / 2).toBeGreaterThan(event.x);
  expect(column.x + column.width / 2).toBeLessThan(event.x + event.width);
});

test('a link opens its event on its day, and Back leads out of it', async ({ page, tenant, request }) => {
  const { id } = await plan(request, tenant);
  await signIn(page, tenant, `/calendar?event=${id}`);
  await expect(page.getByRole('dialog')).toContainText('Wheel truing');
  await expect(page.getByRole('heading', { name: /24.*30 Nov 2031/, includeHidden: true })).toBeAttached();

  await page.goto(week);
  await shown(page, 'Wheel truing').press('Enter');
  await expect(page).toHaveURL(new RegExp(`event=${id}`));
  await expect(page.getByRole('dialog')).toContainText('Wheel truing');
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page).not.toHaveURL(/event=/);
});

test('an early event is shown whole, and one that is saved in another week is shown there', async ({ page, tenant, request }) => {
  await plan(request, tenant, { startTime: `${monday}T05:00:00Z`, endTime: `${monday}T07:30:00Z` });
  await signIn(page, tenant, week);
  await expect(shown(page, 'Wheel truing')).toBeInViewport({ ratio: 1 });
  await shown(page, 'Wheel truing').click();
  const panel = page.getByRole('dialog');
  await panel.getByRole('button', { name: 'Edit' }).click();
  await panel.getByLabel('Start date').fill('2031-12-10');
  await panel.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: /8.*14 Dec 2031/ })).toBeAttached();
  await expect(shown(page, 'Wheel truing')).toContainText('06:00');
});

test('an answer given elsewhere appears without a reload', async ({ page, tenant, createTenant, request }) => {
  const guest = await createTenant();
  const { id } = await plan(request, tenant, { invitees: [{ email: guest.owner.email }] });
  await signIn(page, tenant, `${week}&event=${id}`);
  await expect(page.getByRole('dialog')).toContainText('1 pending');
  const answer = await request.post(`/api/v1/calendar/events/${id}/rsvp`, {
    headers: headersOf(guest),
    data: { response: 'accepted' },
  });
  expect(answer.status()).toBe(200);
  await expect(page.getByRole('dialog')).toContainText('1 yes');
});

test('keys go through time and views, but not while something is typed', async ({ page, tenant, request }) => {
  await plan(request, tenant);
  await signIn(page, tenant, week);
  await expect(shown(page, 'Wheel truing')).toBeVisible();
  const title = (name: RegExp) => expect(page.getByRole('heading', { level: 2, name })).toBeAttached();
  await page.keyboard.press('j');
  await title(/1.*7 Dec 2031/);
  await page.keyboard.press('ArrowLeft');
  await title(/24.*30 Nov 2031/);
  await page.getByRole('radio', { name: 'Day' }).locator('..').click();
  await expect(page).toHaveURL(/view=day/);
  await page.keyboard.press('m');
  await title(/^November 2031$/);
  await page.keyboard.press('n');
  const field = page.getByRole('dialog').getByLabel('Title');
  await field.fill('');
  await field.press('d');
  await expect(field).toHaveValue('d');
  await expect(page).toHaveURL(/view=month/);
});

test('a date is jumped to, and an agent’s events are told from all others', async ({ page, tenant, request }) => {
  const { agents } = await (await request.get('/api/v1/identity/agents', { headers: headersOf(tenant) })).json();
  await plan(request, tenant, { title: 'By an agent', agentId: agents[0].id });
  await plan(request, tenant, { title: 'By nobody', startTime: `${monday}T12:00:00Z`, endTime: `${monday}T13:00:00Z` });
  await signIn(page, tenant, '/calendar?view=week&date=2031-10-01');
  await page.getByRole('button', { name: /go to a date/ }).click();
  await page.getByRole('button', { name: 'Next month' }).click();
  await page.getByRole('button', { name: /25 November 2031/ }).click();
  await expect(shown(page, 'By an agent')).toBeVisible();
  await page.getByRole('button', { name: 'Agent', exact: true }).click();
  await page.getByRole('menuitemradio', { name: agents[0].name }).click();
  await expect(shown(page, 'By nobody')).toHaveCount(0);
  await expect(shown(page, 'By an agent')).toBeVisible();
  await page.reload();
  await expect(shown(page, 'By an agent')).toBeVisible();
  await expect(shown(page, 'By nobody')).toHaveCount(0);
});

test('a day with more events than a month has room for is one click away', async ({ page, tenant, request }) => {
  for (let index = 0; index < 12; index += 1) await plan(request, tenant, { title: `Fitting ${index}` });
  await signIn(page, tenant, `/calendar?view=month&date=${monday}`);
  await page.getByTitle(/^Show this day \(\d+ more\)$/).click();
  await expect(page).toHaveURL(new RegExp(`view=day&date=${monday}`));
  await expect(shown(page, /Fitting/)).toHaveCount(12);
});

test('every view is accessible with events in all colors and states', async ({ page, tenant, request }) => {
  for (const [index, color] of ['blue', 'green', 'red', 'purple', 'orange'].entries()) {
    const day = `2031-11-${24 + index}`;
    const { id } = await plan(request, tenant, { color, startTime: `${day}T09:00:00Z`, endTime: `${day}T10:00:00Z` });
    await plan(request, tenant, { color, allDay: true, startTime: `${day}T00:00:00Z`, endTime: `${day}T10:00:00Z` });
    const status = ['confirmed', 'tentative', 'cancelled'][index % 3];
    await request.patch(`/api/v1/calendar/events/${id}`, { headers: headersOf(tenant), data: { status } });
  }
  const complaints = collectBrowserErrors(page);
  await signIn(page, tenant, week);
  for (const view of ['month', 'week', 'day', 'agenda']) {
    await page.goto(`/calendar?view=${view}&date=${monday}`);
    await expect(shown(page, 'Wheel truing').first()).toBeVisible();
    await expectAccessibleInBothThemes(page);
  }
  expect(complaints).toEqual([]);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test('it shows what comes, and makes a new event', async ({ page, tenant, request }) => {
    await plan(request, tenant, { title: 'Verylongtitlewithoutanyspaces'.repeat(5) });
    await signIn(page, tenant, `/calendar?date=${monday}`);
    await expect(page.getByRole('radio', { name: 'Agenda' })).toBeChecked();
    await expect(page.getByText('24 November', { exact: true })).toBeVisible();
    for (const view of ['Agenda', 'Month', 'Week', 'Day']) {
      await page.getByRole('radio', { name: view }).locator('..').tap();
      await expect(shown(page, 'Verylong')).toBeVisible();
      await expectNoSidewaysScroll(page);
    }
    await page.getByRole('button', { name: 'New event' }).tap();
    await expect(page.getByRole('dialog', { name: 'New event' })).toBeVisible();
  });
});
