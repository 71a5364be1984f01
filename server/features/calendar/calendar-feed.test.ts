import { gunzipSync } from 'node:zlib';
import ICAL from 'ical.js';
import { describe, expect, test, vi } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { changeTestEvent, createTestEvent } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { withHttpServer } from '@/server/testing/rest';
import { watchStatements } from '@/server/testing/statements';
import { endOtherSessions, signOutEverywhere } from '../accounts/session.service';
import { deleteEvent } from './event-deletion.service';
import * as feeds from './feed.service';

withFreshDatabase({ PUBLIC_URL: 'https://desk.example.com' });
const call = withHttpServer();

/** Feeds drop past events, so these are far in the future. */
const ahead = { startTime: '2046-11-24T09:00:00Z', endTime: '2046-11-24T10:00:00Z' };

const get = (path: string, headers: Record<string, string> = {}) => call('GET', path, { headers });

async function subscribe(actor: TestIdentity['actor']): Promise<string> {
  return new URL((await feeds.renewFeed(actor)).url ?? '').pathname;
}

async function business(displayName = 'Harbor Studio') {
  const { actor } = await createTestIdentity({ displayName });
  return { actor, path: await subscribe(actor) };
}

const eventsOf = (text: string) =>
  new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((one) => new ICAL.Event(one));
const titlesIn = async (path: string) =>
  eventsOf((await get(path)).text)
    .map(({ summary }) => summary)
    .sort();

describe('a feed', () => {
  test('is a calendar that any program reads, with nobody’s address in it', async () => {
    const { actor, path } = await business();
    const once = await createTestEvent(actor, { ...ahead, title: 'Once, with Ann', invitees: [{ email: 'ann@quark.example' }] });
    await createTestEvent(actor, { ...ahead, title: 'Each week', recurrence: 'weekly', timezone: 'Europe/Berlin' });
    const { status, headers, text } = await get(path);
    expect([status, headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(headers).toMatchObject({
      'cache-control': 'private, max-age=0, must-revalidate',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-request-id': expect.stringMatching(/./),
    });
    const calendar = new ICAL.Component(ICAL.parse(text));
    expect(calendar.getFirstPropertyValue('x-wr-calname')).toBe('Harbor Studio');
    const read = new Map(eventsOf(text).map((event) => [event.summary, event]));
    expect([...read.keys()].sort()).toEqual(['Each week', 'Once, with Ann']);
    expect(read.get('Once, with Ann')?.uid).toContain(once.id);
    expect(read.get('Once, with Ann')?.startDate.toJSDate().toISOString()).toBe('2046-11-24T09:00:00.000Z');
    expect(read.get('Each week')?.isRecurring()).toBe(true);
    expect(text).not.toMatch(/ATTENDEE|ORGANIZER|quark\.example/);
  });

  test('shows a change at once, and is asked for nothing twice that has not changed', async () => {
    const { actor, path } = await business();
    const event = await createTestEvent(actor, { ...ahead, title: 'First' });
    let { etag = '' } = (await get(path)).headers;
    const change = async (act: () => Promise<unknown>, titles: string[]) => {
      const same = await get(path, { 'if-none-match': `"other", ${etag}` });
      expect([same.status, same.text, same.headers.etag]).toEqual([304, '', etag]);
      await act();
      const fresh = await get(path, { 'if-none-match': etag });
      expect(fresh.status).toBe(200);
      expect(eventsOf(fresh.text).map(({ summary }) => summary)).toEqual(titles);
      etag = fresh.headers.etag ?? '';
    };
    await change(() => changeTestEvent(actor, event.id, { title: 'Second' }), ['Second']);
    await change(() => deleteEvent(actor, event.id), []);
  });

  test('is written once for all who ask, and again on another day', async () => {
    const { actor, path } = await business();
    await createTestEvent(actor, ahead);
    const statements = watchStatements();
    const wasRead = () => statements.names().filter((name) => name === 'calendar-feed-events').length;
    const etags = new Set((await Promise.all(Array.from({ length: 5 }, () => get(path)))).map(({ headers }) => headers.etag));
    await get(path);
    expect([wasRead(), etags.size]).toEqual([1, 1]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
    const tomorrow = await get(path);
    vi.useRealTimers();
    expect(wasRead()).toBe(2);
    expect(etags).not.toContain(tomorrow.headers.etag);
    statements.end();
  });

  test('comes smaller to those who take it so, and by HEAD without its content', async () => {
    const { actor, path } = await business();
    await createTestEvent(actor, { ...ahead, description: 'Words. '.repeat(300) });
    const plain = await get(path);
    const gzip = await get(path, { 'accept-encoding': 'gzip' });
    expect(gzip.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
    expect(gunzipSync(gzip.bytes).toString()).toBe(plain.text);
    const head = await call('HEAD', path);
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', plain.headers.etag]);
    expect(head.headers['content-length']).toBe(String(plain.bytes.length));
  });

  test('of one business never has events of another', async () => {
    const [one, other] = [await business('One'), await business('Other')];
    await createTestEvent(one.actor, { ...ahead, title: 'Of one' });
    await createTestEvent(other.actor, { ...ahead, title: 'Of other' });
    // Written by one statement, both have the same version.
    const ids = [one.actor.identityId, other.actor.identityId];
    await pool().query("UPDATE identities SET display_name = 'Same' WHERE id = ANY($1)", [ids]);
    const [mine, theirs] = await Promise.all([get(one.path), get(other.path)]);
    expect(mine.headers.etag).not.toBe(theirs.headers.etag);
    expect(await Promise.all([titlesIn(one.path), titlesIn(other.path)])).toEqual([['Of one'], ['Of other']]);
    expect((await get(one.path, { 'if-none-match': theirs.headers.etag ?? '' })).status).toBe(200);
  });
});

describe('an address', () => {
  test('that was replaced or turned off leads nowhere at once', async () => {
    const { actor, path } = await business();
    await createTestEvent(actor, { ...ahead, title: 'Private' });
    const { etag = '' } = (await get(path)).headers;
    const renewed = await subscribe(actor);
    expect([(await get(path)).status, (await get(renewed)).status]).toEqual([404, 200]);
    await feeds.revokeFeed(actor);
    for (const address of [path, renewed]) {
      const { status, headers, text } = await get(address, { 'if-none-match': etag });
      expect([status, headers['content-type'], headers['cache-control']]).toEqual([404, 'text/plain; charset=utf-8', 'no-store']);
      expect(text).toBe('There is no calendar at this address. It may have been replaced or turned off.\n');
    }
  });

  test('is a secret that outlives sessions: it is shown to a fresh one only, and ends with them on request', async () => {
    const { actor, path } = await business();
    expect(await feeds.getFeed(actor)).toEqual({ url: null, createdAt: expect.any(String) });
    expect(new URL((await feeds.showFeed(actor)).url ?? '').pathname).toBe(path);
    const other = await business();
    await endOtherSessions(actor, { calendarLinks: false });
    expect((await get(path)).status).toBe(200);
    await endOtherSessions(actor, { calendarLinks: true });
    expect([(await get(path)).status, (await get(other.path)).status]).toEqual([404, 200]);
    expect(await feeds.getFeed(actor)).toEqual({ url: null, createdAt: null });
    const renewed = await subscribe(actor);
    await signOutEverywhere(actor, { calendarLinks: true });
    expect((await get(renewed)).status).toBe(404);
  });

  test('that was never made is found out without a question to the database', async () => {
    const { path } = await business();
    const statements = watchStatements();
    const forged = [
      '/api/calendar',
      '/api/calendar/',
      '/api/calendar/.ics',
      `/api/calendar/${'A'.repeat(43)}.ics`,
      path.replace('.ics', ''),
      path.replace('.ics', '/x.ics'),
      `${path}/`,
      path.replace(/(.)\.ics$/, (_, last) => `${last === 'A' ? 'E' : 'A'}.ics`),
    ];
    for (const address of forged) expect([address, (await get(address)).status]).toEqual([address, 404]);
    expect(statements.names()).toEqual([]);
    statements.end();
  });

  test('of an invitation is none of a feed', async () => {
    const { path } = await business();
    const token = path.slice('/api/calendar/'.length, -'.ics'.length);
    expect((await get(`/rsvp/${token}`)).status).toBe(404);
  });

  test.each(['POST', 'PUT', 'DELETE', 'PROPFIND'])('by %s is told what there is', async (method) => {
    const { path } = await business();
    const { status, headers } = await call(method, path);
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });

  test('says so while the database is away', async () => {
    const { path } = await business();
    const gone = () => Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })) as never;
    const query = vi.spyOn(pool(), 'query').mockImplementation(gone);
    const { status, headers, text } = await get(path);
    query.mockRestore();
    expect([status, headers['retry-after'], headers['content-type']]).toEqual([503, '5', 'text/plain; charset=utf-8']);
    expect(text).not.toContain('gone');
  });
});
