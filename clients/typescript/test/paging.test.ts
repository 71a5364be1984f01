import { expect, test } from 'vitest';
import { type Received, start } from './local-server.js';

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const query = ({ url = '' }: Received) => new URL(url, 'http://x').searchParams;

/** A list of `names` as ids, of which `answer` shapes a page. */
function offsetServer(shape: (ids: { id: string }[], hasMore: boolean) => unknown) {
  return (request: Received) => {
    const offset = Number(query(request).get('offset') ?? 0);
    const limit = Number(query(request).get('limit') ?? 3);
    const page = names.slice(offset, offset + limit).map((id) => ({ id }));
    return { body: shape(page, offset + limit < names.length) };
  };
}

async function idsOf(items: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

test('every list is read to its end, wherever it keeps its items', async () => {
  const customers = await start(offsetServer((page, hasMore) => ({ customers: page, hasMore })));
  expect(await idsOf(customers.frontdesk.customers.listAll({ tag: 'vip' }))).toEqual(names);
  expect(customers.received.map(({ url }) => url?.split('?')[1])).toEqual(['tag=vip', 'tag=vip&offset=3', 'tag=vip&offset=6']);
  const agents = await start(offsetServer((page, hasMore) => ({ agents: page, pagination: { hasMore } })));
  expect(await idsOf(agents.frontdesk.agents.listAll())).toEqual(names);
  const conversations = await start(offsetServer((page, hasMore) => ({ conversations: page, hasMore })));
  expect(await idsOf(conversations.frontdesk.conversations.listAll({ limit: 7 }))).toEqual(names);
  expect(conversations.received).toHaveLength(1);
  const messages = await start(offsetServer((page, hasMore) => ({ messages: page, hasMore })));
  expect(await idsOf(messages.frontdesk.conversations.messagesAll({ conversationId: 'c' }))).toEqual(names);
  const blog = await start(offsetServer((page, hasMore) => ({ success: true, data: { posts: page, hasMore } })));
  expect(await idsOf(blog.frontdesk.blog.listAll({ limit: 1 }))).toEqual(names);
  expect(blog.received).toHaveLength(names.length);
});

test('pages are fetched only as they are needed, and retried like any call', async () => {
  const { frontdesk, received } = await start([
    { status: 503 },
    { body: { customers: [{ id: 'a' }, { id: 'b' }], hasMore: true } },
  ]);
  for await (const { id } of frontdesk.customers.listAll()) if (id === 'b') break;
  expect(received).toHaveLength(2);
});

test('what slides into the next page does not come twice, and an empty page is the end', async () => {
  const { frontdesk } = await start([
    { body: { customers: [{ id: 'a' }, { id: 'b' }], hasMore: true } },
    { body: { customers: [{ id: 'b' }, { id: 'c' }], hasMore: true } },
    { body: { customers: [], hasMore: true } },
  ]);
  expect(await idsOf(frontdesk.customers.listAll())).toEqual(['a', 'b', 'c']);
});

interface Event {
  id: string;
  startTime: string;
  endTime: string;
  occurrenceStart?: string;
}

const at = (hour: number) => new Date(Date.UTC(2026, 10, 24, hour)).toISOString();
const event = (id: string, start: number, end: number, series = false): Event => ({
  id,
  startTime: at(series ? 0 : start),
  endTime: at(end),
  ...(series ? { occurrenceStart: at(start) } : {}),
});
const startOf = (item: Event) => item.occurrenceStart ?? item.startTime;

/** As the calendar lists: what ends after `startDate`, in order of start. */
function calendarServer(events: Event[]) {
  return (request: Received) => {
    const from = Date.parse(query(request).get('startDate') ?? at(0));
    const limit = Number(query(request).get('limit') ?? 500);
    const found = events.filter(({ endTime }) => Date.parse(endTime) > from);
    return { body: { events: found.slice(0, limit), count: 0, hasMore: found.length > limit } };
  };
}

test('the calendar is read on from the start of the last event', async () => {
  const events = [event('long', 1, 20), event('b', 2, 3), event('c', 4, 5), event('d', 4, 6), event('e', 4, 7), event('f', 8, 9)];
  const { frontdesk, received } = await start(calendarServer(events));
  expect(await idsOf(frontdesk.calendar.listAll({ limit: 3 }))).toEqual(['long', 'b', 'c', 'd', 'e', 'f']);
  expect(received.map((request) => query(request).get('startDate')).slice(0, 2)).toEqual([null, at(4)]);
});

test('occurrences of one series are told apart', async () => {
  const events = [1, 2, 3, 4, 5].map((hour) => event('s', hour, hour + 1, true));
  const { frontdesk } = await start(calendarServer(events));
  const starts: string[] = [];
  for await (const item of frontdesk.calendar.listAll({ startDate: at(0), endDate: at(9), expand: true, limit: 2 })) {
    starts.push(startOf(item as Event));
  }
  expect(starts).toEqual([1, 2, 3, 4, 5].map(at));
});

test('a page full of what began long ago is asked for in a larger size, and never for ever', async () => {
  const over = event('over', 3, 5);
  const events = [1, 2, 3, 4].map((hour) => event(`e${hour}`, hour, 20)).toSpliced(2, 0, over);
  const { frontdesk, received } = await start(calendarServer(events));
  expect(await idsOf(frontdesk.calendar.listAll({ startDate: at(10), limit: 2 }))).toEqual(['e1', 'e2', 'e3', 'e4']);
  expect(received.map((request) => query(request).get('limit'))).toEqual(['2', '2', '2500']);
  const stuck = await start(() => ({ body: { events: events.slice(0, 1), hasMore: true } }));
  await expect(idsOf(stuck.frontdesk.calendar.listAll({ startDate: at(10) }))).rejects.toThrow(RangeError);
  expect(stuck.received).toHaveLength(3);
});
