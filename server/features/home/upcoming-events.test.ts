import { expect, test } from 'vitest';
import type { IdentityActor } from '@/server/platform/actor';
import { createTestEvent } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { createTestIdentity } from '@/server/testing/identity';
import { readEvents, readOpenAnswers } from './upcoming-events';

withFreshDatabase();

/** A Tuesday. */
const noon = new Date('2026-11-24T12:00:00Z');

const titles = async (actor: IdentityActor, now = noon) => (await readEvents(actor, now)).map(({ title }) => title);

const at = (startTime: string, endTime: string) => ({ startTime: `${startTime}:00Z`, endTime: `${endTime}:00Z` });

test('what is over is left out, what is on or comes within two days is listed by start', async () => {
  const { actor } = await createTestIdentity();
  await createTestEvent(actor, { title: 'Over', ...at('2026-11-24T09:00', '2026-11-24T12:00') });
  await createTestEvent(actor, { title: 'Tomorrow', ...at('2026-11-25T09:00', '2026-11-25T10:00') });
  await createTestEvent(actor, { title: 'On', ...at('2026-11-24T11:00', '2026-11-24T13:00'), location: 'Workshop' });
  await createTestEvent(actor, { title: 'Later', ...at('2026-11-24T15:00', '2026-11-24T16:00') }, 'tentative');
  await createTestEvent(actor, { title: 'Called off', ...at('2026-11-24T16:00', '2026-11-24T17:00') }, 'cancelled');
  const events = await readEvents(actor, noon);
  expect(events.map(({ title }) => title)).toEqual(['On', 'Later', 'Tomorrow']);
  expect(events[0]).toMatchObject({ location: 'Workshop', days: null, isTentative: false, occurrenceStart: null });
  expect(events[1]).toMatchObject({ isTentative: true });
});

test('whole days are dates of their own zone, and stay until they are over in the last one', async () => {
  const { actor } = await createTestIdentity();
  const day = {
    allDay: true,
    timezone: 'Pacific/Auckland',
    startTime: '2026-11-24T00:00:00+13:00',
    endTime: '2026-11-25T00:00:00+13:00',
  };
  await createTestEvent(actor, { title: 'Fair', ...day });
  const [fair] = await readEvents(actor, noon);
  // Over in Auckland since 11:00 UTC, but still today for a viewer in Berlin.
  expect(fair).toMatchObject({ title: 'Fair', days: { first: '2026-11-24', last: '2026-11-24' } });
  expect(await titles(actor, new Date('2026-11-25T11:59:59Z'))).toEqual(['Fair']);
  expect(await titles(actor, new Date('2026-11-25T12:00:01Z'))).toEqual([]);
});

test('where nothing is near, the next one is found further on, also a date of a series', async () => {
  const { actor } = await createTestIdentity();
  await createTestEvent(actor, { title: 'Stocktaking', ...at('2026-12-30T09:00', '2026-12-30T17:00') });
  await createTestEvent(actor, { title: 'Yearly', ...at('2020-12-10T09:00', '2020-12-10T10:00'), recurrence: 'yearly' });
  expect(await readEvents(actor, noon)).toMatchObject([
    { title: 'Yearly', start: '2026-12-10T09:00:00.000Z', occurrenceStart: '2026-12-10T09:00:00.000Z' },
  ]);
  await createTestEvent(actor, { title: 'On for long', ...at('2026-11-01T09:00', '2026-12-01T09:00') });
  expect(await titles(actor)).toEqual(['On for long', 'Yearly']);
});

test('open answers are those to events that have not begun, soonest first', async () => {
  const { actor, handle } = await createTestIdentity();
  const invite = (...names: string[]) => ({ invitees: names.map((name) => ({ email: `${name}@${handle}.example` })) });
  await createTestEvent(actor, { title: 'Begun', ...at('2026-11-24T11:00', '2026-11-24T13:00'), ...invite('ann') });
  await createTestEvent(
    actor,
    { title: 'Called off', ...invite('ann'), ...at('2026-11-26T09:00', '2026-11-26T10:00') },
    'cancelled',
  );
  await createTestEvent(actor, { title: 'Second', ...at('2026-11-26T09:00', '2026-11-26T10:00'), ...invite('ann', 'bob') });
  await createTestEvent(actor, {
    title: 'First',
    ...at('2020-11-25T09:00', '2020-11-25T10:00'),
    ...invite('ann'),
    recurrence: 'weekly',
  });
  await createTestEvent(actor, { title: 'Nobody', ...at('2026-11-25T09:00', '2026-11-25T10:00') });
  const { count, events } = await readOpenAnswers(actor.identityId, noon);
  expect(count).toBe(3);
  expect(events).toMatchObject([
    { title: 'First', waiting: 1, start: '2026-11-25T09:00:00.000Z', occurrenceStart: '2026-11-25T09:00:00.000Z' },
    { title: 'Second', waiting: 2, occurrenceStart: null },
  ]);
});

test('the business itself owes nobody an answer', async () => {
  const { actor, address } = await createTestDesk();
  const invitees = [{ email: address }, { email: 'ann@quark.example' }];
  await createTestEvent(actor, { ...at('2026-11-25T09:00', '2026-11-25T10:00'), invitees });
  expect((await readOpenAnswers(actor.identityId, noon)).count).toBe(1);
});

test('nobody sees events or open answers of another identity', async () => {
  const [mine, theirs] = [await createTestIdentity(), await createTestIdentity()];
  const invitees = [{ email: 'ann@quark.example' }];
  await createTestEvent(theirs.actor, { title: 'Theirs', ...at('2026-11-25T09:00', '2026-11-25T10:00'), invitees });
  expect(await titles(mine.actor)).toEqual([]);
  expect(await readOpenAnswers(mine.identityId, noon)).toEqual({ count: 0, events: [] });
  expect((await readOpenAnswers(theirs.identityId, noon)).count).toBe(1);
});
