import { describe, expect, test } from 'vitest';
import { deleteEvent } from '@/server/features/calendar/event-deletion.service';
import { changeTestEvent } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { invited, storedInvitees } from '@/server/testing/invitations';
import { withHttpServer } from '@/server/testing/rest';
import { watchStatements } from '@/server/testing/statements';

withFreshDatabase({ PUBLIC_URL: 'https://desk.example.com' });
const call = withHttpServer();

const get = (path: string) => call('GET', path);
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const answer = (path: string, value: string, headers = {}) =>
  call('POST', path, { body: `answer=${value}`, headers: { ...form, ...headers } });

const responseOf = async (eventId: string) => (await storedInvitees(eventId))[0]?.response;

/** The page's buttons with their style. */
const buttonsOf = (html: string) =>
  [...html.matchAll(/<button ([^>]*)>/g)].map(([, attributes = '']) =>
    ['value', 'class'].map((name) => new RegExp(`${name}="(\\w+)"`).exec(attributes)?.[1]),
  );

describe('looking', () => {
  test('shows what the event is and who is asked', async () => {
    const { path } = await invited({
      title: 'Quarterly review',
      description: 'Bring questions.\nhttps://agenda.example/q4',
      location: 'Torstraße 12, Berlin',
      timezone: 'Europe/Berlin',
      recurrence: 'weekly',
      virtualMeeting: { provider: 'zoom', url: 'https://zoom.example/j/1', password: '4711' },
    });
    const { status, text, headers } = await get(path);
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    for (const shown of [
      '<html lang="en">',
      'Harbor Studio invites you.',
      '>Quarterly review</h1>',
      'Tuesday, 24 November 2026, 10:00–11:00',
      'Europe/Berlin, GMT+1',
      'Every week on Tuesday',
      'Torstraße 12, Berlin',
      '<a href="https://zoom.example/j/1">Join with Zoom</a>',
      'Password: 4711',
      '<a href="https://agenda.example/q4">',
      'Ann (you)',
      'You’re responding as <bdi>Ann (ann@quark.example)</bdi>',
      'Will you attend?',
      'Your answer counts for every date.',
    ]) {
      expect(text).toContain(shown);
    }
    expect(buttonsOf(text)).toEqual([
      ['accepted', 'primary'],
      ['tentative', 'plain'],
      ['declined', 'plain'],
    ]);
  });

  test('and following an answer of the mail change nothing, not even a time', async () => {
    const { eventId, path } = await invited();
    const before = await storedInvitees(eventId);
    for (const method of ['GET', 'HEAD']) {
      for (const query of ['', '?answer=accepted', '?answer=declined', '?answer=nonsense', '?answer=accepted&utm=1']) {
        expect((await call(method, path + query)).status).toBe(200);
      }
    }
    expect(await storedInvitees(eventId)).toEqual(before);
  });

  test('after an answer of the mail suggests that one', async () => {
    const { path } = await invited();
    const { text } = await get(`${path}?answer=declined`);
    expect(text).toContain('Not saved yet. Press “Decline” to confirm.');
    expect(buttonsOf(text)).toEqual([
      ['accepted', 'plain'],
      ['tentative', 'plain'],
      ['declined', 'primary'],
    ]);
  });

  test('by HEAD is as by GET, without the page', async () => {
    const { path } = await invited();
    const head = await call('HEAD', path);
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-length']).toBe(String((await get(path)).bytes.length));
  });
});

describe('answering', () => {
  test('records, leads back, and says what is recorded', async () => {
    const { eventId, path } = await invited();
    const posted = await answer(path, 'accepted');
    expect([posted.status, posted.headers.location, posted.text]).toEqual([303, path, '']);
    expect((await storedInvitees(eventId))[0]).toMatchObject({
      response: 'accepted',
      answered_by: 'link',
      answered_at: expect.any(Date),
    });
    const { text } = await get(path);
    expect(text).toContain('<title>Your response: yes · Meeting</title>');
    expect(text).toContain('Saved. You can change it here.');
    expect(text).toContain('<span aria-hidden="true">✓ </span>Accept<span class="vh"> (your current response)</span>');
    expect(buttonsOf(text)).toEqual([
      ['accepted', 'recorded'],
      ['tentative', 'plain'],
      ['declined', 'plain'],
    ]);
  });

  test('again changes the answer, and a link of the mail only suggests that', async () => {
    const { eventId, path } = await invited();
    await answer(path, 'accepted');
    const { text } = await get(`${path}?answer=declined`);
    expect(text).toContain('Your response: yes.');
    expect(text).toContain('To change it to no, press “Decline”.');
    expect(await responseOf(eventId)).toBe('accepted');
    await answer(path, 'declined');
    expect(await responseOf(eventId)).toBe('declined');
    await answer(path, 'tentative');
    expect((await get(path)).text).toContain('Your response: maybe.');
  });

  test('works from anywhere, since the link is the right to answer', async () => {
    const { eventId, path } = await invited();
    for (const [origin, value] of [
      ['null', 'accepted'],
      ['https://mail.example', 'declined'],
    ] as const) {
      expect((await answer(path, value, { origin, 'sec-fetch-site': 'cross-site' })).status).toBe(303);
      expect(await responseOf(eventId)).toBe(value);
    }
  });

  test('many times at once ends in one of the answers', async () => {
    const { eventId, path } = await invited();
    const values = ['accepted', 'tentative', 'declined'] as const;
    const all = await Promise.all(Array.from({ length: 30 }, (_, n) => answer(path, values[n % 3] ?? '')));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([303]));
    expect(values).toContain(await responseOf(eventId));
    expect(await storedInvitees(eventId)).toHaveLength(1);
  });

  test('is for the one whose link it is', async () => {
    const { actor, eventId, path } = await invited();
    await changeTestEvent(actor, eventId, { invitees: [{ email: 'ann@quark.example' }, { email: 'ben@quark.example' }] });
    await answer(path, 'accepted');
    expect((await storedInvitees(eventId)).map(({ email, response }) => [email, response])).toEqual([
      ['ann@quark.example', 'accepted'],
      ['ben@quark.example', 'needs_action'],
    ]);
  });

  test('what is over is still possible', async () => {
    const { eventId, path } = await invited({ startTime: '2020-11-24T09:00:00Z', endTime: '2020-11-24T10:00:00Z' });
    expect((await get(path)).text).toContain('This event has ended.');
    expect((await answer(path, 'accepted')).status).toBe(303);
    expect(await responseOf(eventId)).toBe('accepted');
  });
});

describe('what is no answer', () => {
  test.each([
    '',
    'answer=',
    'answer=yes',
    'answer=needs_action',
    'other=accepted',
    'answer=accepted&answer=declined',
    'answer=%ff%00',
  ])('(%s) is refused and records nothing', async (body) => {
    const { eventId, path } = await invited();
    const before = await storedInvitees(eventId);
    const { status, text } = await call('POST', path, { body, headers: form });
    expect(status).toBe(400);
    expect(text).toContain('Your response wasn’t recorded');
    expect(await storedInvitees(eventId)).toEqual(before);
  });

  test('is refused where it is no form, or far too large', async () => {
    const { eventId, path } = await invited();
    const statuses = [
      await call('POST', path, { json: { answer: 'accepted' } }),
      await call('POST', path, { body: 'answer=accepted', headers: { 'content-type': 'text/plain' } }),
      await call('POST', path, { body: 'answer=accepted' }),
      await call('POST', path, { body: `answer=accepted&x=${'x'.repeat(4096)}`, headers: form }),
      await call('POST', path, {
        body: `answer=accepted&x=${'x'.repeat(9000)}`,
        headers: { ...form, 'transfer-encoding': 'chunked' },
      }),
    ].map(({ status, headers }) => [status, headers['content-type']]);
    const html = 'text/html; charset=utf-8';
    expect(statuses).toEqual([415, 415, 415, 413, 413].map((status) => [status, html]));
    expect(await responseOf(eventId)).toBe('needs_action');
  });

  test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'])('by %s is told what there is', async (method) => {
    const { path } = await invited();
    const { status, headers } = await call(method, path);
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, POST']);
  });
});

describe('an invitation that is not there', () => {
  test('is one never made: found out without a question to the database', async () => {
    const { path } = await invited();
    const statements = watchStatements();
    const other = path.at(-3) === 'A' ? 'B' : 'A';
    const forged = [
      '/rsvp',
      '/rsvp/',
      '/rsvp/x',
      '/rsvp/%ff',
      '/rsvp/%00',
      `/rsvp/${'A'.repeat(43)}`,
      `/rsvp/${'x'.repeat(5000)}`,
      `${path}x`,
      `${path}/`,
      `${path}/more`,
      path.slice(0, -3) + other + path.slice(-2),
    ];
    for (const address of forged) {
      const shown = await get(address);
      expect([address, shown.status, shown.headers['content-type']]).toEqual([address, 404, 'text/html; charset=utf-8']);
      expect([address, (await answer(address, 'accepted')).status]).toEqual([address, 404]);
    }
    expect(statements.names()).toEqual([]);
    statements.end();
  });

  test('is one of somebody taken off the list, or of an event that was deleted', async () => {
    const removed = await invited();
    await changeTestEvent(removed.actor, removed.eventId, { invitees: [] });
    const deleted = await invited();
    await deleteEvent(deleted.actor, deleted.eventId);
    for (const { path } of [removed, deleted]) {
      const { status, text } = await get(path);
      expect(status).toBe(404);
      expect(text).toContain('Invitation not found');
      expect(text).not.toContain('<form');
      expect((await answer(path, 'accepted')).status).toBe(404);
    }
  });

  test('a link whose characters were encoded on the way is the same link', async () => {
    const { path } = await invited();
    const encoded = path.replace(/[^/]$/, (last) => `%${last.charCodeAt(0).toString(16)}`);
    expect((await get(encoded)).status).toBe(200);
    expect((await answer(encoded, 'accepted')).headers.location).toBe(path);
  });
});

describe('a cancelled event', () => {
  test('says so, asks nothing, and records nothing', async () => {
    const { actor, eventId, path } = await invited({
      description: 'Secret agenda',
      virtualMeeting: { provider: 'zoom', url: 'https://zoom.example/j/1' },
    });
    await answer(path, 'accepted');
    await changeTestEvent(actor, eventId, { status: 'cancelled' });
    const { status, text } = await get(`${path}?answer=declined`);
    expect(status).toBe(200);
    expect(text).toContain('Harbor Studio has canceled this event. No action needed.');
    for (const absent of ['<form', '<button', 'zoom.example', 'Secret agenda']) expect(text).not.toContain(absent);
    const posted = await answer(path, 'declined');
    expect([posted.status, posted.headers.location]).toEqual([303, path]);
    expect(await responseOf(eventId)).toBe('accepted');
    await changeTestEvent(actor, eventId, { status: 'confirmed' });
    expect((await get(path)).text).toContain('Your response: yes.');
  });
});
