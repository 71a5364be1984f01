import { type EventRecord, eventAnswerSchema, eventListSchema, oneEventSchema } from '@/server/features/calendar/calendar.schema';
import { type Answer, type Api, expect, test } from '../support/api';

/** The specification's "Calendar" and contract section 8, from outside. */

const day = { startTime: '2026-11-24T09:00:00Z', endTime: '2026-11-24T10:00:00Z' };

function eventOf(answer: Answer): EventRecord {
  expect(answer.status).toBe(200);
  return eventAnswerSchema.parse(answer.body).event;
}

async function listOf(api: Api, query = '') {
  const { status, body } = await api.get(`/calendar/events${query}`);
  expect(status).toBe(200);
  return eventListSchema.parse(body);
}

async function freeAt(api: Api, startTime: string, endTime: string, excludeEventId?: string) {
  const query = new URLSearchParams({ startTime, endTime, ...(excludeEventId ? { excludeEventId } : {}) });
  const { status, body } = await api.get(`/calendar/availability?${query}`);
  expect(status).toBe(200);
  return body as unknown as {
    available: boolean;
    conflicts: { id: string; title: string; startTime: string; endTime: string }[];
  };
}

test('an event is created, read, changed and deleted', async ({ api }) => {
  const created = await api.post('/calendar/events', {
    title: 'Fitting',
    startTime: '2026-11-24T10:00:00+01:00',
    endTime: '2026-11-24T11:30:00.25+01:00',
    timezone: 'europe/berlin',
    virtualMeeting: { provider: 'zoom', url: 'https://zoom.example/1', password: 'x' },
    reminders: [{ type: 'email', value: 1, unit: 'hours' }],
    invitees: [
      { email: ' Ann@Quark.io ', name: 'Ann' },
      { email: 'bob@quark.io', isOptional: true },
    ],
    recurrence: 'weekly',
    recurrenceEndDate: '2026-12-31',
  });
  expect(created.status).toBe(201);
  const { event } = eventAnswerSchema.parse(created.body);
  expect(created.body).toMatchObject({ success: true });
  expect(event).toMatchObject({
    identityId: api.tenant.identityId,
    startTime: '2026-11-24T09:00:00.000Z',
    endTime: '2026-11-24T10:30:00.250Z',
    timezone: 'Europe/Berlin',
    allDay: false,
    color: 'blue',
    status: 'confirmed',
    recurrence: 'weekly',
    recurrenceEndDate: '2026-12-31T00:00:00.000Z',
    virtualMeeting: { provider: 'zoom', url: 'https://zoom.example/1', password: 'x' },
    reminders: [{ type: 'email', value: 1, unit: 'hours' }],
    sendEmailReminders: true,
    agentId: null,
    agent: null,
  });
  expect(event.invitees).toMatchObject([
    { email: 'ann@quark.io', name: 'Ann', responseStatus: 'needs_action', isOrganizer: false, isOptional: false },
    { email: 'bob@quark.io', name: '', responseStatus: 'needs_action', isOrganizer: false, isOptional: true },
  ]);
  const path = `/calendar/events/${event.id}`;
  const read = oneEventSchema.parse((await api.get(path)).body).event;
  expect(read).toMatchObject({ ...event, invitees: event.invitees.map(({ id }) => ({ id })) });

  // What was read can be sent back, and changes nothing.
  const same = eventOf(await api.patch(path, read));
  expect({ ...same, revision: 0, updatedAt: '' }).toEqual({ ...read, revision: 0, updatedAt: '' });
  const changed = eventOf(await api.patch(path, { title: 'Long fitting', endTime: '2026-11-24T12:00:00+01:00', color: 'green' }));
  expect(changed).toMatchObject({ title: 'Long fitting', startTime: event.startTime, endTime: '2026-11-24T11:00:00.000Z' });
  expect(changed.invitees.map(({ id }) => id)).toEqual(event.invitees.map(({ id }) => id));
  expect(eventOf(await api.patch(path, { virtualMeeting: null, recurrenceEndDate: null, reminders: [] }))).toMatchObject({
    virtualMeeting: null,
    recurrenceEndDate: null,
    reminders: [],
  });
  expect(eventOf(await api.patch(path, { status: 'cancelled' })).status).toBe('cancelled');
  expect(await api.delete(path)).toMatchObject({ status: 200, body: { success: true } });
  expect(await api.get(path)).toMatchObject({ status: 404, body: { success: false, error: 'Event not found' } });
  expect((await api.delete(path)).status).toBe(404);
  expect(eventOf(await api.call('POST', `${path}/restore`))).toMatchObject({ id: event.id, status: 'cancelled' });
  expect(await api.call('POST', '/calendar/events/nonsense/restore')).toMatchObject({
    status: 404,
    body: { error: 'Event not found' },
  });
});

test('what contradicts itself is refused in the words of the specification', async ({ api }) => {
  const text = 'End time must be after start time';
  for (const endTime of [day.startTime, '2026-11-24T08:59:59.999Z', '2026-11-24T10:00:00+02:00']) {
    const { status, body } = await api.post('/calendar/events', { title: 'x', ...day, endTime });
    expect([status, body]).toMatchObject([400, { success: false, error: text, code: 'invalid_request' }]);
  }
  const { id } = await api.createEvent();
  const path = `/calendar/events/${id}`;
  expect((await api.patch(path, { startTime: day.endTime })).body).toMatchObject({ success: false, error: text });
  expect((await api.patch(path, { endTime: day.startTime })).body).toMatchObject({ success: false, error: text });
  const query = new URLSearchParams({ startTime: day.endTime, endTime: day.startTime });
  expect(await api.get(`/calendar/availability?${query}`)).toMatchObject({ status: 400, body: { success: false, error: text } });
  expect((await api.get(path)).status).toBe(200);
});

const many = (count: number) => Array.from({ length: count }, (_, index) => ({ email: `a${index}@quark.io` }));
const reminder = { type: 'email', value: 5, unit: 'minutes' };

const refused: Record<string, [Record<string, unknown>, string]> = {
  'a blank title': [{ title: ' \n' }, 'title'],
  'a title of 501 characters': [{ title: 'x'.repeat(501) }, 'title'],
  'no time at all': [{ startTime: undefined }, 'startTime'],
  'a time without offset': [{ startTime: '2026-11-24T09:00:00' }, 'startTime'],
  'a date for a time': [{ startTime: '2026-11-24' }, 'startTime'],
  'a time that is none': [{ endTime: '2026-02-30T10:00:00Z' }, 'endTime'],
  'a zone that is none': [{ timezone: 'Europe/Atlantis' }, 'timezone'],
  'an offset for a zone': [{ timezone: '+01:00' }, 'timezone'],
  'a colour that is none': [{ color: 'pink' }, 'color'],
  'a recurrence that is none': [{ recurrence: 'hourly' }, 'recurrence'],
  'a series that ends before it begins': [{ recurrence: 'daily', recurrenceEndDate: '2026-11-23' }, 'recurrenceEndDate'],
  'a provider that is none': [{ virtualMeeting: { provider: 'skype', url: 'https://x.io' } }, 'virtualMeeting.provider'],
  'an address that is not http': [{ virtualMeeting: { provider: 'zoom', url: 'javascript:alert(1)' } }, 'virtualMeeting.url'],
  'a reminder of another type': [{ reminders: [{ ...reminder, type: 'sms' }] }, 'reminders.0.type'],
  'a reminder of another unit': [{ reminders: [{ ...reminder, unit: 'weeks' }] }, 'reminders.0.unit'],
  'a reminder after the start': [{ reminders: [{ ...reminder, value: -5 }] }, 'reminders.0.value'],
  'eleven reminders': [{ reminders: Array.from({ length: 11 }, () => reminder) }, 'reminders'],
  'an e-mail that is none': [{ invitees: [{ email: 'ann@' }] }, 'invitees.0.email'],
  'an e-mail twice': [{ invitees: [{ email: 'ann@quark.io' }, { email: 'ANN@quark.io' }] }, 'invitees.1.email'],
  '201 invitees': [{ invitees: many(201) }, 'invitees'],
  'a number for a boolean': [{ allDay: 1 }, 'allDay'],
  'null where nothing can be null': [{ description: null }, 'description'],
};

for (const [what, [fields, field]] of Object.entries(refused)) {
  test(`${what} is refused, and named`, async ({ api }) => {
    const created = await api.post('/calendar/events', { title: 'x', ...day, ...fields });
    expect([created.status, created.body]).toMatchObject([400, { success: false, error: expect.stringContaining(field) }]);
    expect(Object.keys(created.body.details.fields)).toEqual([field]);
    expect((await listOf(api)).count).toBe(0);
    if (fields.startTime === undefined && 'startTime' in fields) return;
    const { id } = await api.createEvent();
    expect((await api.patch(`/calendar/events/${id}`, fields)).status).toBe(400);
    expect((await listOf(api)).events).toMatchObject([{ id, title: 'Meeting' }]);
  });
}

test('an agent that is not this identity’s is not found', async ({ api, stranger }) => {
  const foreign = (await stranger.firstAgent()).id;
  const own = (await api.firstAgent()).id;
  const notFound = { status: 404, body: { success: false, error: 'Agent not found' } };
  for (const agentId of [foreign, '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50']) {
    expect(await api.post('/calendar/events', { title: 'x', ...day, agentId })).toMatchObject(notFound);
  }
  const { id } = await api.createEvent({ agentId: own });
  expect(await api.patch(`/calendar/events/${id}`, { agentId: foreign })).toMatchObject(notFound);
  const { agent, agentId } = oneEventSchema.parse((await api.get(`/calendar/events/${id}`)).body).event;
  expect(agentId).toBe(own);
  expect(agent).toEqual({ id: own, name: expect.any(String), avatarUrl: expect.any(String) });
});

test('lists keep what meets the range, by start', async ({ api }) => {
  const at = (date: string, from: string, to: string) => ({ startTime: `${date}T${from}:00Z`, endTime: `${date}T${to}:00Z` });
  const agentId = (await api.firstAgent()).id;
  await api.createEvent({ title: 'B', ...at('2026-03-02', '09:00', '10:00'), agentId, invitees: [{ email: 'ann@quark.io' }] });
  await api.createEvent({ title: 'A', ...at('2026-03-01', '09:00', '10:00') });
  await api.createEvent({ title: 'C', startTime: '2026-02-20T00:00:00Z', endTime: '2026-03-02T00:00:00Z' });
  await api.createEvent({
    title: 'D',
    ...at('2026-01-01', '09:00', '10:00'),
    recurrence: 'daily',
    recurrenceEndDate: '2026-03-01',
  });
  const titles = async (query: string) => (await listOf(api, query)).events.map(({ title }) => title).join('');
  expect(await titles('')).toBe('DCAB');
  expect(await titles('?startDate=2026-03-02')).toBe('B');
  expect(await titles('?startDate=2026-03-01')).toBe('DCAB');
  expect(await titles('?endDate=2026-03-01')).toBe('DC');
  expect(await titles('?startDate=2026-03-01T09:59:59.999Z&endDate=2026-03-01T10:00:00Z')).toBe('DCA');
  expect(await titles('?startDate=2026-03-01T10:00:00Z&endDate=2026-03-02T09:00:00Z')).toBe('C');
  expect(await titles(`?agentId=${agentId}`)).toBe('B');
  expect(await titles('?limit=2')).toBe('DC');
  const [first] = (await listOf(api, '?startDate=2026-03-02')).events;
  expect(first).toMatchObject({ invitees: [], inviteeCount: 1 });
  const [withInvitees] = (await listOf(api, '?startDate=2026-03-02&includeInvitees=true')).events;
  expect(withInvitees?.invitees).toMatchObject([{ email: 'ann@quark.io' }]);
  const expanded = await listOf(api, '?startDate=2026-02-27&endDate=2026-03-05&expand=true');
  expect(expanded.events.map(({ title, occurrenceStart }) => [title, occurrenceStart?.slice(0, 10)])).toEqual(
    [
      ['C', '2026-02-20'],
      ['D', '2026-02-27'],
      ['D', '2026-02-28'],
      ['A', '2026-03-01'],
      ['D', '2026-03-01'],
      ['B', '2026-03-02'],
    ].sort((a, b) => (a[1] === b[1] ? 0 : (a[1] ?? '') < (b[1] ?? '') ? -1 : 1)),
  );
  for (const query of ['limit=0', 'limit=2501', 'limit=x', 'expand=true', 'expand=maybe', 'startDate=yesterday', 'agentId=x']) {
    expect(await api.get(`/calendar/events?${query}`)).toMatchObject({ status: 400, body: { success: false } });
  }
});

test('availability knows half-open ranges, series, whole days and what is cancelled', async ({ api }) => {
  const meeting = await api.createEvent();
  expect(await freeAt(api, '2026-11-24T08:00:00Z', day.startTime)).toEqual({ available: true, conflicts: [], hasMore: false });
  expect(await freeAt(api, day.endTime, '2026-11-24T11:00:00Z')).toMatchObject({ available: true });
  expect(await freeAt(api, '2026-11-24T10:59:59+01:00', '2026-11-24T12:00:00+01:00')).toMatchObject({
    available: false,
    conflicts: [{ id: meeting.id, title: 'Meeting', startTime: '2026-11-24T09:00:00.000Z', endTime: '2026-11-24T10:00:00.000Z' }],
  });
  expect(await freeAt(api, day.startTime, day.endTime, meeting.id)).toMatchObject({ available: true });
  await api.patch(`/calendar/events/${meeting.id}`, { status: 'tentative' });
  expect((await freeAt(api, day.startTime, day.endTime)).available).toBe(false);
  await api.patch(`/calendar/events/${meeting.id}`, { status: 'cancelled' });
  expect((await freeAt(api, day.startTime, day.endTime)).available).toBe(true);

  const berlin = { timezone: 'Europe/Berlin', recurrence: 'daily' } as const;
  const daily = await api.createEvent({
    ...berlin,
    startTime: '2026-03-20T09:00:00+01:00',
    endTime: '2026-03-20T09:30:00+01:00',
  });
  const summer = await freeAt(api, '2026-07-01T00:00:00Z', '2026-07-02T00:00:00Z');
  expect(summer.conflicts.map(({ startTime }) => startTime)).toEqual(['2026-07-01T07:00:00.000Z']);
  await api.delete(`/calendar/events/${daily.id}`);

  await api.createEvent({
    title: 'Off',
    allDay: true,
    timezone: 'America/New_York',
    startTime: '2026-11-25T00:00:00-05:00',
    endTime: '2026-11-26T00:00:00-05:00',
  });
  expect((await freeAt(api, '2026-11-25T04:00:00Z', '2026-11-25T05:00:00Z')).available).toBe(true);
  expect((await freeAt(api, '2026-11-26T04:30:00Z', '2026-11-26T06:00:00Z')).conflicts).toMatchObject([{ title: 'Off' }]);
  for (const query of ['', '?startTime=2026-11-24T09:00:00Z', '?startTime=x&endTime=y']) {
    expect(await api.get(`/calendar/availability${query}`)).toMatchObject({ status: 400, body: { success: false } });
  }
});

test('whoever has an account answers for their own address only', async ({ api, stranger }) => {
  const { id } = await api.createEvent({ invitees: [{ email: stranger.tenant.owner.email }, { email: 'else@quark.io' }] });
  const path = `/calendar/events/${id}/rsvp`;
  expect(await stranger.post(path, { response: 'accepted' })).toMatchObject({ status: 200, body: { success: true } });
  const answered = async () => oneEventSchema.parse((await api.get(`/calendar/events/${id}`)).body).event.invitees;
  expect(await answered()).toMatchObject([{ responseStatus: 'accepted', answeredBy: 'api' }, { responseStatus: 'needs_action' }]);
  expect((await stranger.post(path, { response: 'tentative' })).status).toBe(200);
  expect((await answered())[0]).toMatchObject({ responseStatus: 'tentative' });
  for (const response of ['maybe', 'needs_action', '', null, undefined]) {
    expect(await stranger.post(path, { response })).toMatchObject({ status: 400, body: { success: false } });
  }
  // One's own event, without being invited; and one that one knows nothing of.
  expect(await api.post(path, { response: 'accepted' })).toMatchObject({ status: 400, body: { success: false } });
  const other = await api.createEvent();
  expect(await stranger.post(`/calendar/events/${other.id}/rsvp`, { response: 'accepted' })).toMatchObject({
    status: 404,
    body: { success: false, error: 'Event not found' },
  });
});
