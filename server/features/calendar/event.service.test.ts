import { describe, expect, test } from 'vitest';
import { changeTestEvent, createTestEvent, listTestEvents, queuedMails } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity } from '@/server/testing/identity';
import { createAgent, updateAgent } from '../agents/agent.service';
import { getEvent } from './event.service';
import { deleteEvent } from './event-deletion.service';

withFreshDatabase();

let created = 0;

async function createOrganizer() {
  const address = `desk@calendar${++created}.example`;
  const { actor, identityId } = await createTestIdentity({ address, displayName: 'Harbor Lane' });
  /** New mails in the outbox since the last call: kind, recipient, iTIP method and sequence. */
  let seen = 0;
  const newMails = async () => {
    const mails = (await queuedMails(identityId)).slice(seen);
    seen += mails.length;
    return mails;
  };
  const told = async () => (await newMails()).map(({ kind, recipients }) => `${kind} ${recipients.join()}`).sort();
  return { actor, identityId, address, newMails, told };
}

const ann = { email: 'ann@quark.example', name: 'Ann' };
const bob = { email: 'bob@quark.example' };
const eve = { email: 'eve@quark.example' };

function property(content: string | undefined, name: string): string | undefined {
  return content
    ?.replaceAll('\r\n ', '')
    .split('\r\n')
    .find((line) => line.startsWith(name))
    ?.slice(name.length + 1);
}

describe('who is mailed', () => {
  test('invitees of a new event, but never the identity itself', async () => {
    const { actor, address, told } = await createOrganizer();
    const { invitees } = await createTestEvent(actor, { invitees: [ann, { email: address }, bob] });
    expect(await told()).toEqual(['invitation ann@quark.example', 'invitation bob@quark.example']);
    expect(invitees.map(({ invitedAt }) => invitedAt !== null)).toEqual([true, false, true]);
    expect(invitees.map(({ isOrganizer, responseStatus }) => [isOrganizer, responseStatus])).toEqual([
      [false, 'needs_action'],
      [true, 'accepted'],
      [false, 'needs_action'],
    ]);
    await createTestEvent(actor, { invitees: [ann], sendEmailReminders: false });
    expect(await told()).toEqual([]);
  });

  test('the table of the specification: new invitees only, unless all are to be notified', async () => {
    const { actor, told } = await createOrganizer();
    const { id } = await createTestEvent(actor, { invitees: [ann] });
    await told();
    await changeTestEvent(actor, id, { title: 'Another' });
    expect(await told()).toEqual([]);
    await changeTestEvent(actor, id, { invitees: [ann, bob] });
    expect(await told()).toEqual(['invitation bob@quark.example']);
    await changeTestEvent(actor, id, { title: 'Third', notifyAttendeesOfChanges: false, invitees: [ann, bob, eve] });
    expect(await told()).toEqual(['invitation eve@quark.example']);
    await changeTestEvent(actor, id, { title: 'Fourth', notifyAttendeesOfChanges: true });
    expect(await told()).toEqual([
      'event_update ann@quark.example',
      'event_update bob@quark.example',
      'event_update eve@quark.example',
    ]);
    await changeTestEvent(actor, id, { invitees: [ann], notifyAttendeesOfChanges: true });
    expect(await told()).toEqual([
      'event_cancellation bob@quark.example',
      'event_cancellation eve@quark.example',
      'event_update ann@quark.example',
    ]);
    await changeTestEvent(actor, id, { invitees: [] });
    expect(await told()).toEqual([]);
  });

  test('without sendEmailReminders nobody is, unless all are to be notified', async () => {
    const { actor, told } = await createOrganizer();
    const { id } = await createTestEvent(actor, { invitees: [ann], sendEmailReminders: false });
    await changeTestEvent(actor, id, { invitees: [ann, bob] });
    expect(await told()).toEqual([]);
    await changeTestEvent(actor, id, { notifyAttendeesOfChanges: true });
    expect(await told()).toEqual(['invitation ann@quark.example', 'invitation bob@quark.example']);
  });

  test('of a cancellation, where they are to be notified; and then of nothing new', async () => {
    const { actor, told } = await createOrganizer();
    const { id } = await createTestEvent(actor, { invitees: [ann] });
    await told();
    await changeTestEvent(actor, id, { status: 'cancelled', notifyAttendeesOfChanges: true });
    expect(await told()).toEqual(['event_cancellation ann@quark.example']);
    await changeTestEvent(actor, id, { invitees: [ann, bob] });
    expect(await told()).toEqual([]);
    await changeTestEvent(actor, id, { status: 'confirmed', notifyAttendeesOfChanges: true });
    expect(await told()).toEqual(['event_update ann@quark.example', 'invitation bob@quark.example']);
    await changeTestEvent(actor, id, { status: 'cancelled' });
    await deleteEvent(actor, id);
    expect(await told()).toEqual([]);
  });
});

describe('what is mailed', () => {
  test('an update tells what changed since the last mail to all, also what nobody was told then', async () => {
    const { actor, newMails } = await createOrganizer();
    const { id } = await createTestEvent(actor, { invitees: [ann], location: 'Yard' });
    await newMails();
    await changeTestEvent(actor, id, { location: 'Workshop' });
    await changeTestEvent(actor, id, { startTime: '2026-11-24T08:00:00Z' });
    await changeTestEvent(actor, id, { notifyAttendeesOfChanges: true });
    const [update] = await newMails();
    expect(update?.mail.text).toContain('Yard');
    expect(update?.mail.text).toContain('09:00');
    await changeTestEvent(actor, id, { title: 'Another', notifyAttendeesOfChanges: true });
    const [second] = await newMails();
    expect(second?.mail.text).not.toContain('Yard');
  });

  test('UID stays, SEQUENCE rises with what concerns invitees, and the method says what it is', async () => {
    const { actor, newMails } = await createOrganizer();
    const { id } = await createTestEvent(actor, { invitees: [ann] });
    const calendarOf = async () => {
      const [mail] = await newMails();
      const { method, content } = mail?.mail.calendar ?? {};
      expect(property(content, 'METHOD')).toBe(method);
      expect(property(content, 'UID')).toBe(id);
      return [method, Number(property(content, 'SEQUENCE'))];
    };
    expect(await calendarOf()).toEqual(['REQUEST', 0]);
    await changeTestEvent(actor, id, { startTime: '2026-11-24T08:00:00Z', notifyAttendeesOfChanges: true });
    expect(await calendarOf()).toEqual(['REQUEST', 1]);
    await changeTestEvent(actor, id, { color: 'red', reminders: [], notifyAttendeesOfChanges: true });
    expect(await calendarOf()).toEqual(['REQUEST', 1]);
    await changeTestEvent(actor, id, { location: 'Yard' });
    await changeTestEvent(actor, id, { status: 'cancelled', notifyAttendeesOfChanges: true });
    expect(await calendarOf()).toEqual(['CANCEL', 3]);
  });

  test('SEQUENCE rises from a cancellation to the next invitation of the same person', async () => {
    const { actor, newMails } = await createOrganizer();
    const { id } = await createTestEvent(actor, { invitees: [ann, bob] });
    await changeTestEvent(actor, id, { invitees: [bob], notifyAttendeesOfChanges: true });
    await changeTestEvent(actor, id, { invitees: [ann, bob] });
    const toAnn = (await newMails()).filter(({ recipients }) => recipients.includes(ann.email));
    expect(toAnn.map(({ mail }) => [mail.calendar?.method, property(mail.calendar?.content, 'SEQUENCE')])).toEqual([
      ['REQUEST', '0'],
      ['CANCEL', '1'],
      ['REQUEST', '2'],
    ]);
  });

  test('an agent signs what it brands, and the sending address organizes', async () => {
    const { actor, address, newMails } = await createOrganizer();
    const agent = await createAgent(actor, { name: 'Mira', roleId: 'mira', kind: 'assistant' });
    await updateAgent(actor, { agentId: agent.id, persona: { signature: 'Mira, at the counter' } });
    await createTestEvent(actor, { invitees: [ann], agentId: agent.id });
    const [mail] = await newMails();
    expect(mail?.mail.from).toEqual({ email: address, displayName: 'Mira' });
    expect(mail?.mail.text).toContain('Mira, at the counter');
    expect(property(mail?.mail.calendar?.content, 'ORGANIZER')).toBe(`CN=Mira:mailto:${address}`);
  });

  test('everybody has an answer link of their own, the same in every mail', async () => {
    const { actor, newMails } = await createOrganizer();
    const { id } = await createTestEvent(actor, { invitees: [ann, bob] });
    await changeTestEvent(actor, id, { title: 'Next', notifyAttendeesOfChanges: true });
    const links = (await newMails()).map(({ recipients, mail }) => [recipients[0], /http\S+\/rsvp\/\S{43}/.exec(mail.text)?.[0]]);
    expect(new Set(links.map(([, link]) => link)).size).toBe(2);
    expect(new Set(links.map((pair) => pair.join())).size).toBe(2);
  });
});

test('invitees keep id and answer by their address, in the order of the list', async () => {
  const { actor } = await createOrganizer();
  const event = await createTestEvent(actor, { invitees: [ann, bob] });
  const changed = await changeTestEvent(actor, event.id, {
    invitees: [eve, { ...bob, name: 'Bob' }, { ...ann, isOptional: true }],
  });
  const idOf = (email: string) => event.invitees.find((invitee) => invitee.email === email)?.id;
  expect(changed.invitees.map(({ email, name, isOptional }) => [email, name, isOptional])).toEqual([
    [eve.email, '', false],
    [bob.email, 'Bob', false],
    [ann.email, 'Ann', true],
  ]);
  expect(changed.invitees.slice(1).map(({ id }) => id)).toEqual([idOf(bob.email), idOf(ann.email)]);
});

describe('at once', () => {
  test('changes of different fields lose none of them', async () => {
    const { actor } = await createOrganizer();
    const { id } = await createTestEvent(actor, { invitees: [ann] });
    const changes = [
      { title: 'T' },
      { description: 'D' },
      { location: 'L' },
      { color: 'red' as const },
      { invitees: [ann, bob] },
    ];
    await Promise.all(changes.map((change) => changeTestEvent(actor, id, change)));
    const { event } = await getEvent(actor, id);
    expect(event).toMatchObject({ title: 'T', description: 'D', location: 'L', color: 'red', revision: 6 });
    expect(event.invitees.map(({ email }) => email)).toEqual([ann.email, bob.email]);
  });

  test('of changes to one revision one wins, and the others are told', async () => {
    const { actor } = await createOrganizer();
    const { id, revision } = await createTestEvent(actor);
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) => changeTestEvent(actor, id, { title: `Title ${index}`, ifRevision: revision })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ code: 'edited_elsewhere', details: { revision: 2 } });
    }
  });

  test('a new invitee is invited once, however many add them', async () => {
    const { actor, told } = await createOrganizer();
    const { id } = await createTestEvent(actor);
    await Promise.all(Array.from({ length: 6 }, () => changeTestEvent(actor, id, { invitees: [ann] })));
    expect(await told()).toEqual(['invitation ann@quark.example']);
  });

  test('deleting and changing end with the event gone', async () => {
    const { actor } = await createOrganizer();
    const { id } = await createTestEvent(actor, { invitees: [ann] });
    await Promise.allSettled([
      changeTestEvent(actor, id, { title: 'x' }),
      deleteEvent(actor, id),
      changeTestEvent(actor, id, { invitees: [bob] }),
    ]);
    expect((await listTestEvents(actor)).count).toBe(0);
  });
});

describe('times', () => {
  test('in a zone that only some programs know are refused', async () => {
    const { actor } = await createOrganizer();
    const { id } = await createTestEvent(actor);
    for (const timezone of ['PST', 'SystemV/AST4', 'IST', 'Europe/Berlin\n', '']) {
      const refusal = { code: 'invalid_request', details: { fields: { timezone: expect.any(String) } } };
      await expect(createTestEvent(actor, { timezone })).rejects.toMatchObject(refusal);
      await expect(changeTestEvent(actor, id, { timezone })).rejects.toMatchObject(refusal);
    }
  });

  test('may be written without seconds, and with an offset in short', async () => {
    const { actor } = await createOrganizer();
    const event = await createTestEvent(actor, { startTime: '2026-11-24T09:00+01:00', endTime: '2026-11-24t10:30:00.5+0100' });
    expect([event.startTime, event.endTime]).toEqual(['2026-11-24T08:00:00.000Z', '2026-11-24T09:30:00.500Z']);
    for (const startTime of [
      '2026-11-24T09+01:00',
      '2026-11-24T09:00',
      '20261124T090000Z',
      '2026-11-24T24:00Z',
      '2026-13-24T09:00Z',
    ]) {
      await expect(createTestEvent(actor, { startTime })).rejects.toThrow();
    }
  });

  test('of what does not recur any more are not bound by the end of the series it was', async () => {
    const { actor } = await createOrganizer();
    const { id } = await createTestEvent(actor, { recurrence: 'weekly', recurrenceEndDate: '2026-12-31' });
    await changeTestEvent(actor, id, { recurrence: 'none' });
    const later = { startTime: '2027-04-01T09:00:00Z', endTime: '2027-04-01T10:00:00Z' };
    expect(await changeTestEvent(actor, id, later)).toMatchObject({ startTime: '2027-04-01T09:00:00.000Z' });
    await expect(changeTestEvent(actor, id, { recurrence: 'daily' })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});

test('a title that nobody can see is none', async () => {
  const { actor } = await createOrganizer();
  for (const title of ['', ' ', '\u0085', '\u200b', '\u2060\n', '\u0001'])
    await expect(createTestEvent(actor, { title })).rejects.toThrow();
  expect((await createTestEvent(actor, { title: '🚲' })).title).toBe('🚲');
});

describe('lists', () => {
  test('of a range that ends before it begins are refused, and one without length has what takes place then', async () => {
    const { actor } = await createOrganizer();
    const single = await createTestEvent(actor);
    const series = await createTestEvent(actor, { recurrence: 'daily' });
    const reversed = listTestEvents(actor, { startDate: '2026-11-25', endDate: '2026-11-24' });
    await expect(reversed).rejects.toMatchObject({ details: { fields: { endDate: 'must not be before startDate' } } });
    const at = async (moment: string) =>
      (await listTestEvents(actor, { startDate: moment, endDate: moment })).events.map(({ id }) => id);
    expect(await at('2026-11-24T09:30:00Z')).toEqual([single.id, series.id]);
    expect(await at('2026-11-25T09:30:00Z')).toEqual([series.id]);
    expect(await at('2026-11-24T09:00:00Z')).toEqual([]);
    expect(await at('2026-11-24T10:00:00Z')).toEqual([]);
  });

  test('are the first ones as they take place, with whole days that are stored by a later time', async () => {
    const { actor } = await createOrganizer();
    const at = (hour: string) => `2026-11-24T${hour}:00Z`;
    await createTestEvent(actor, { title: 'Eight', startTime: at('08:00'), endTime: at('08:30') });
    await createTestEvent(actor, { title: 'Nine', startTime: at('09:00'), endTime: at('09:30') });
    await createTestEvent(actor, { title: 'Holiday', startTime: at('10:00'), endTime: at('18:00'), allDay: true });
    await createTestEvent(actor, {
      title: 'Day after',
      startTime: '2026-11-25T01:00:00Z',
      endTime: '2026-11-25T02:00:00Z',
      allDay: true,
    });
    const query = { startDate: '2026-11-24', endDate: '2026-11-25', expand: true };
    const all = (await listTestEvents(actor, query)).events;
    expect(all.map(({ title }) => title)).toEqual(['Holiday', 'Eight', 'Nine']);
    for (const limit of [1, 2, 3]) {
      expect(await listTestEvents(actor, { ...query, limit })).toMatchObject({ events: all.slice(0, limit), hasMore: limit < 3 });
    }
  });

  test('with invitees of many occurrences end where it becomes too many, and say so', async () => {
    const { actor } = await createOrganizer();
    const invitees = Array.from({ length: 200 }, (_, index) => ({ email: `guest${index}@quark.example` }));
    await createTestEvent(actor, { recurrence: 'daily', invitees, sendEmailReminders: false });
    const query = { startDate: '2026-11-24', endDate: '2030-11-24', expand: true, limit: 2500 };
    const all = await listTestEvents(actor, query);
    expect([all.count, all.hasMore]).toEqual([1461, false]);
    const shown = await listTestEvents(actor, { ...query, includeInvitees: true });
    expect([shown.count, shown.hasMore, shown.events[0]?.invitees.length]).toEqual([250, true, 200]);
  });
});

test('an event without a zone offset of its own recurs at its wall clock', async () => {
  const { actor } = await createOrganizer();
  await createTestEvent(actor, {
    timezone: 'Europe/Berlin',
    recurrence: 'weekly',
    startTime: '2026-03-23T08:00:00Z',
    endTime: '2026-03-23T09:00:00Z',
  });
  const { events } = await listTestEvents(actor, { startDate: '2026-03-20', endDate: '2026-04-10', expand: true });
  expect(events.map(({ startTime }) => startTime)).toEqual([
    '2026-03-23T08:00:00.000Z',
    '2026-03-30T07:00:00.000Z',
    '2026-04-06T07:00:00.000Z',
  ]);
});
