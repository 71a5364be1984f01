import { describe, expect, test } from 'vitest';
import { pool } from '@/server/platform/db/pool';
import { changeTestEvent, createTestEvent } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestDesk } from '@/server/testing/desk';
import { committedEvents } from '@/server/testing/events';
import { createTestIdentity } from '@/server/testing/identity';
import { deliver, mailBytes, receiveBytes, testMessageId } from '@/server/testing/mail';
import { getEvent } from './event.service';
import { respond } from './rsvp.service';

withFreshDatabase();

let anns: ReturnType<typeof createTestIdentity> | undefined;

/** The business of Ann, the invitee. */
function annsBusiness() {
  anns ??= createTestIdentity({ ownerEmail: 'ann@quark.example' });
  return anns;
}

interface Reply {
  uid: string;
  from?: string;
  attendee?: string | null;
  partstat?: string;
  stamp?: string;
  extra?: string[];
  body?: string;
}

/** A reply as calendars send it: text, and a calendar part. */
function replyMail({
  uid,
  from = 'ann@quark.example',
  attendee = from,
  partstat = 'ACCEPTED',
  stamp,
  extra = [],
  body = '',
}: Reply) {
  const calendar = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Some calendar//EN',
    'METHOD:REPLY',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    ...(stamp ? [`DTSTAMP:${stamp}`] : []),
    ...(attendee === null ? [] : [`ATTENDEE;PARTSTAT=${partstat};CN=Somebody:mailto:${attendee}`]),
    ...extra,
    'END:VEVENT',
    'END:VCALENDAR',
  ].join('\n');
  return {
    headers: {
      From: from,
      'Message-ID': testMessageId(),
      Subject: 'Accepted: Meeting',
      'MIME-Version': '1.0',
      'Content-Type': 'multipart/alternative; boundary="b"',
    },
    body: [
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      '',
      body,
      '--b',
      'Content-Type: text/calendar; charset=utf-8; method=REPLY',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(calendar.replaceAll('\n', '\r\n')).toString('base64'),
      '--b--',
      '',
    ].join('\n'),
  };
}

async function createInvited(first = 'ann@quark.example') {
  const desk = await createTestDesk();
  const event = await createTestEvent(desk.actor, { invitees: [{ email: first }, { email: 'bob@quark.example' }] });
  const answers = async () => (await getEvent(desk.actor, event.id)).event.invitees.map(({ responseStatus }) => responseStatus);
  /** @param sender of the envelope; defaults to the invitee's */
  const send = ({ sender = first, ...reply }: Omit<Reply, 'uid'> & { uid?: string; sender?: string | null }) =>
    deliver(replyMail({ uid: event.id, ...reply }), { to: desk.address, sender });
  return { ...desk, event, answers, send };
}

describe('an answer by mail', () => {
  test('is recorded for the invitee who sends it', async () => {
    const { event, actor, answers, send } = await createInvited();
    await send({ stamp: '20260301T120000Z' });
    expect(await answers()).toEqual(['accepted', 'needs_action']);
    expect((await getEvent(actor, event.id)).event.invitees[0]).toMatchObject({
      answeredBy: 'mail',
      answeredAt: '2026-03-01T12:00:00.000Z',
    });
    await send({ from: 'Bob <BOB@quark.example>', attendee: 'bob@quark.example', partstat: 'tentative' });
    await send({ partstat: 'DECLINED', stamp: '20260302T120000Z' });
    expect(await answers()).toEqual(['declined', 'tentative']);
  });

  test('is in the log as the guest’s, and only where it is recorded', async () => {
    const desk = await createInvited();
    const { event, send } = desk;
    await send({ from: 'eve@quark.example', attendee: 'ann@quark.example' });
    await send({ uid: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50' });
    await send({ stamp: '20260301T120000Z' });
    await send({ partstat: 'DECLINED', stamp: '20260201T120000Z' });
    const events = (await committedEvents(desk)).filter(({ type }) => type.startsWith('calendar.'));
    expect(events.map(({ type }) => type)).toEqual(['calendar.event.created', 'calendar.invitee.responded']);
    expect(events[1]).toMatchObject({
      object: { id: event.id, version: 2 },
      actor: { type: 'guest', id: null, name: 'ann@quark.example' },
      data: { object: { invitees: [{ responseStatus: 'accepted', answeredBy: 'mail' }, { answeredBy: null }] } },
    });
  });

  test.each(['ann@bäcker.example', 'ann@xn--bcker-gra.example'])('is known by %s for the one address', async (written) => {
    const { answers, send } = await createInvited('ann@xn--bcker-gra.example');
    await send({ from: written, attendee: 'ann@bäcker.example' });
    expect(await answers()).toEqual(['accepted', 'needs_action']);
  });

  test.each(['ann@quark.example', 'ann@elsewhere.example', '', null])(
    'from the envelope sender %s is unverified, and stays unread in the inbox',
    async (sender) => {
      const { event, actor, list, send } = await createInvited();
      await send({ sender, body: '' });
      const answer = { responseStatus: 'accepted', answeredBy: 'mail', answerVerified: false };
      expect((await getEvent(actor, event.id)).event.invitees[0]).toMatchObject(answer);
      expect((await list()).conversations).toMatchObject([{ status: 'pending', isRead: false }]);
    },
  );

  test('is verified again by the invitee’s own answer here', async () => {
    const { event, actor, send } = await createInvited();
    const invitee = async () => (await getEvent(actor, event.id)).event.invitees[0];
    expect(await invitee()).toMatchObject({ answerVerified: null });
    await send({ sender: 'eve@elsewhere.example' });
    expect(await invitee()).toMatchObject({ answerVerified: false });
    const guest = await annsBusiness();
    await respond(guest.actor, { eventId: event.id, response: 'declined' });
    expect(await invitee()).toMatchObject({ responseStatus: 'declined', answeredBy: 'api', answerVerified: true });
  });

  test('that was given before another changes nothing when it comes later', async () => {
    const { answers, send } = await createInvited();
    await send({ partstat: 'DECLINED', stamp: '20260302T120000Z' });
    await send({ partstat: 'ACCEPTED', stamp: '20260301T120000Z' });
    expect(await answers()).toEqual(['declined', 'needs_action']);
  });

  test('by mail that comes after one by another way counts, whatever its sender’s clock says', async () => {
    const { actor, event, answers, send } = await createInvited();
    const guest = await annsBusiness();
    await respond(guest.actor, { eventId: event.id, response: 'accepted' });
    await send({ partstat: 'DECLINED', stamp: '20260101T120000Z' });
    expect(await answers()).toEqual(['declined', 'needs_action']);
    expect((await getEvent(actor, event.id)).event.invitees[0]).toMatchObject({ answeredBy: 'mail' });
  });

  test('to the times that an event had is for people to read', async () => {
    const { actor, event, answers, send, list } = await createInvited();
    const times = { startTime: '2026-11-25T09:00:00Z', endTime: '2026-11-25T10:00:00Z' };
    await changeTestEvent(actor, event.id, times);
    // No update was sent, so the calendar still has the old sequence.
    await send({ extra: ['SEQUENCE:0'] });
    expect(await answers()).toEqual(['accepted', 'needs_action']);
    await changeTestEvent(actor, event.id, { notifyAttendeesOfChanges: true });
    await send({ extra: ['SEQUENCE:0'], partstat: 'DECLINED' });
    expect(await answers()).toEqual(['accepted', 'needs_action']);
    expect((await list()).conversations[0]).toMatchObject({ status: 'pending', isRead: false });
    await send({ extra: ['SEQUENCE:1'], partstat: 'TENTATIVE' });
    expect(await answers()).toEqual(['tentative', 'needs_action']);
  });

  test('with another one for a single date of the series is left for people to read', async () => {
    const { actor, address, list } = await createTestDesk();
    const { id } = await createTestEvent(actor, { recurrence: 'weekly', invitees: [{ email: 'ann@quark.example' }] });
    const declined = [
      'END:VEVENT',
      'BEGIN:VEVENT',
      `UID:${id}`,
      'RECURRENCE-ID:20261201T090000Z',
      'ATTENDEE;PARTSTAT=DECLINED:mailto:ann@quark.example',
    ];
    await deliver(replyMail({ uid: id, extra: declined }), { to: address });
    expect((await getEvent(actor, id)).event.invitees).toMatchObject([{ responseStatus: 'accepted' }]);
    expect((await list()).conversations[0]).toMatchObject({ status: 'pending', isRead: false });
  });

  test('in the identity’s own name changes nothing', async () => {
    const { actor, address, send, event } = await createInvited();
    await changeTestEvent(actor, event.id, { invitees: [{ email: address }] });
    await send({ from: address, partstat: 'DECLINED' });
    expect((await getEvent(actor, event.id)).event.invitees).toMatchObject([{ isOrganizer: true, responseStatus: 'accepted' }]);
  });

  test('in UTF-16 is understood', async () => {
    const { answers, event, address } = await createInvited();
    const mail = replyMail({ uid: event.id });
    const part = /base64\n\n(\S+)\n/.exec(mail.body)?.[1] ?? '';
    const utf16 = Buffer.from(Buffer.from(part, 'base64').toString(), 'utf16le').toString('base64');
    await deliver({ ...mail, body: mail.body.replace(part, utf16) }, { to: address });
    expect(await answers()).toEqual(['accepted', 'needs_action']);
  });

  test('from a clock that is ahead does not outlast later answers', async () => {
    const { answers, send } = await createInvited();
    await send({ partstat: 'ACCEPTED', stamp: '20990101T120000Z' });
    await send({ partstat: 'DECLINED' });
    expect(await answers()).toEqual(['declined', 'needs_action']);
  });

  test('taken in while the clock was ahead does not outlast later ones, once it is set back', async () => {
    const { answers, send, event } = await createInvited();
    await send({ partstat: 'ACCEPTED' });
    await pool().query(`UPDATE calendar_invitees SET replied_at = now() + interval '1 day' WHERE event_id = $1`, [event.id]);
    await send({ partstat: 'DECLINED' });
    expect(await answers()).toEqual(['declined', 'needs_action']);
  });

  test('can be given by nobody else, however much they know', async () => {
    const { answers, send, event, actor } = await createInvited();
    await send({ from: 'bob@quark.example', attendee: 'ann@quark.example' });
    await send({ from: 'eve@quark.example', attendee: 'ann@quark.example' });
    await send({ from: 'eve@quark.example' });
    await send({ uid: 'somebody-else’s-event' });
    await send({ uid: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50' });
    await send({ partstat: 'NEEDS-ACTION' });
    await send({ partstat: 'DELEGATED' });
    await send({ attendee: null });
    expect(await answers()).toEqual(['needs_action', 'needs_action']);
    expect((await getEvent(actor, event.id)).event.revision).toBe(1);
  });

  test('to one date of a series leaves the series’ answer as it is', async () => {
    const { answers, send } = await createInvited();
    await send({ extra: ['RECURRENCE-ID:20261124T090000Z'] });
    expect(await answers()).toEqual(['needs_action', 'needs_action']);
  });

  test('does not count for another identity’s event', async () => {
    const { event, answers } = await createInvited();
    const other = await createTestDesk();
    await deliver(replyMail({ uid: event.id }), { to: other.address });
    expect(await answers()).toEqual(['needs_action', 'needs_action']);
  });

  test('that comes twice is recorded once, and removed invitees can’t answer', async () => {
    const { actor, event, address, answers, list } = await createInvited();
    const bytes = mailBytes(replyMail({ uid: event.id }));
    await receiveBytes(bytes, { to: address });
    await receiveBytes(bytes, { to: address });
    expect((await list()).conversations).toHaveLength(1);
    expect(await answers()).toEqual(['accepted', 'needs_action']);
    await changeTestEvent(actor, event.id, { invitees: [{ email: 'bob@quark.example' }] });
    await deliver(replyMail({ uid: event.id }), { to: address });
    expect(await answers()).toEqual(['needs_action']);
  });

  test('and answers at once lose neither', async () => {
    const { answers, send } = await createInvited();
    await Promise.all([send({}), send({ from: 'bob@quark.example', partstat: 'DECLINED' })]);
    expect(await answers()).toEqual(['accepted', 'declined']);
  });
});
