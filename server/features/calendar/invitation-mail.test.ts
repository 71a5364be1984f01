import ICAL from 'ical.js';
import { simpleParser } from 'mailparser';
import { beforeAll, expect, test } from 'vitest';
import { recordDelivery } from '@/server/features/conversations/delivery.service';
import { prisma } from '@/server/platform/db/prisma';
import { overrideEnv } from '@/server/platform/env';
import { changeTestEvent, createTestEvent } from '@/server/testing/calendar';
import { withFreshDatabase } from '@/server/testing/database';
import { createTestIdentity, type TestIdentity } from '@/server/testing/identity';
import { withMailServer } from '@/server/testing/smtp-server';
import { sendMail } from '../outbox/sending.service';
import { sendReminders } from './reminder.service';

/** Invitations as sent: real MIME over real SMTP. */

withFreshDatabase();
const mailServer = withMailServer();

let desk: TestIdentity;

beforeAll(async () => {
  desk = await createTestIdentity({ address: 'desk@here.example', displayName: 'Harbor Lane' });
  overrideEnv({ PUBLIC_URL: 'https://desk.example' });
});

/** Sends all email that is due, and returns what was received. */
async function sent(): Promise<string[]> {
  const waiting = await prisma().outboxMail.findMany({
    where: { state: 'queued', dueAt: { lte: new Date() } },
    orderBy: { id: 'asc' },
    select: { id: true },
  });
  for (const { id } of waiting) await sendMail(id, recordDelivery);
  return mailServer.accepted.map(({ raw }) => raw);
}

/** The tree of MIME parts, with the headers that describe them. */
function structure(raw: string): string[] {
  return raw
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .filter((line) => /^Content-(Type|Disposition):/i.test(line))
    .map((line) => line.replace(/ ?boundary="[^"]*"/, '').replace(/;$/, ''));
}

function calendarOf(text: string): ICAL.Component {
  return new ICAL.Component(ICAL.parse(text));
}

test('an invitation is text, HTML and calendar in one, and a file', async () => {
  const event = await createTestEvent(desk.actor, {
    title: 'Fitting',
    timezone: 'Europe/Berlin',
    recurrence: 'weekly',
    recurrenceEndDate: '2026-12-31',
    location: 'Yard',
    invitees: [{ email: 'ann@quark.example', name: 'Ann' }],
  });
  const [raw = ''] = await sent();
  expect(structure(raw)).toEqual([
    'Content-Type: multipart/mixed',
    'Content-Type: multipart/alternative',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Type: text/html; charset=utf-8',
    'Content-Type: text/calendar; charset=utf-8; method=REQUEST',
    'Content-Type: application/ics; name=invite.ics',
    'Content-Disposition: attachment; filename=invite.ics',
  ]);
  const mail = await simpleParser(raw);
  expect(mail.from?.text).toBe('"Harbor Lane" <desk@here.example>');
  expect(mail.subject).toBe('Invitation: Fitting @ Tue 24 Nov 2026, 10:00 (Europe/Berlin)');
  expect(mail.references).toBe(`<${event.id}@here.example>`);
  expect(mail.text).toContain('https://desk.example/rsvp/');
  const files = mail.attachments.map(({ content }) => content.toString());
  expect(new Set(files).size).toBe(1);
  const calendar = calendarOf(files[0] ?? '');
  expect(calendar.getFirstPropertyValue('method')).toBe('REQUEST');
  const component = calendar.getFirstSubcomponent('vevent');
  const parsed = new ICAL.Event(component ?? new ICAL.Component('vevent'));
  expect([parsed.uid, parsed.sequence, parsed.summary, parsed.location]).toEqual([event.id, 0, 'Fitting', 'Yard']);
  expect(parsed.startDate.toJSDate().toISOString()).toBe(event.startTime);
  expect(component?.getFirstPropertyValue('rrule')?.toString()).toBe('FREQ=WEEKLY;UNTIL=20261231T225959Z');
  expect(component?.getFirstPropertyValue('organizer')).toBe('mailto:desk@here.example');
  expect(component?.getAllProperties('attendee').map((attendee) => attendee.toICALString())).toEqual([
    expect.stringContaining('PARTSTAT=NEEDS-ACTION'),
  ]);
});

test('a cancellation says so in the part’s type and in the calendar', async () => {
  const event = await createTestEvent(desk.actor, { invitees: [{ email: 'ann@quark.example' }] });
  await changeTestEvent(desk.actor, event.id, { status: 'cancelled', notifyAttendeesOfChanges: true });
  const [, raw = ''] = await sent();
  expect(structure(raw)).toContain('Content-Type: text/calendar; charset=utf-8; method=CANCEL');
  const mail = await simpleParser(raw);
  expect(mail.subject).toBe('Canceled: Meeting @ Tue 24 Nov 2026, 09:00 (UTC)');
  const component = calendarOf(mail.attachments[0]?.content.toString() ?? '').getFirstSubcomponent('vevent');
  expect(component?.getFirstPropertyValue('status')).toBe('CANCELLED');
  expect(component?.getFirstPropertyValue('uid')).toBe(event.id);
});

test('a reminder says that nobody sent it by hand', async () => {
  const start = Date.now() + 3_600_000;
  const event = await createTestEvent(desk.actor, {
    startTime: new Date(start).toISOString(),
    endTime: new Date(start + 3_600_000).toISOString(),
    reminders: [{ type: 'email', value: 10, unit: 'minutes' }],
  });
  await sendReminders(desk.identityId, event.id, start - 600_000);
  const [raw = ''] = await sent();
  expect(raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(structure(raw)).not.toContain('text/calendar');
  expect((await simpleParser(raw)).subject).toMatch(/^Reminder: Meeting/);
});

test('of several mails about one event each waits for the one before, and nobody else waits', async () => {
  const event = await createTestEvent(desk.actor, {
    invitees: [{ email: 'ann@quark.example' }, { email: 'bob@quark.example' }],
  });
  mailServer.behave({ recipient: (address) => (address.startsWith('ann') ? { code: 451, message: '4.2.0 Later' } : undefined) });
  await sent();
  await changeTestEvent(desk.actor, event.id, { status: 'cancelled', notifyAttendeesOfChanges: true });
  mailServer.behave({});
  await sent();
  const subjects = () => mailServer.accepted.map(({ raw, recipients }) => `${/^Subject: (\w+)/m.exec(raw)?.[1]} ${recipients}`);
  expect(subjects()).toEqual(['Invitation bob@quark.example', 'Canceled bob@quark.example']);
  await prisma().outboxMail.updateMany({ where: { state: 'queued' }, data: { dueAt: new Date(0) } });
  await sent();
  await sent();
  expect(subjects().slice(2)).toEqual(['Invitation ann@quark.example', 'Canceled ann@quark.example']);
});

test('a reminder that could not be sent in time is not sent, and one of an event that is cancelled is taken back', async () => {
  const start = Date.now() - 2 * 3_600_000;
  const times = { startTime: new Date(start).toISOString(), endTime: new Date(start + 3_600_000).toISOString() };
  const reminders = [{ type: 'email' as const, value: 10, unit: 'minutes' as const }];
  const late = await createTestEvent(desk.actor, { ...times, reminders, recurrence: 'yearly' });
  await prisma().calendarEvent.updateMany({ where: { id: late.id }, data: { remindedUntil: new Date(start - 3_600_000) } });
  await sendReminders(desk.identityId, late.id, start - 600_000);
  expect(await sent()).toEqual([]);
  const [mail] = await prisma().outboxMail.findMany({ where: { kind: 'event_reminder' }, orderBy: { id: 'desc' }, take: 1 });
  expect(mail?.state).toBe('failed');

  const soon = await createTestEvent(desk.actor, {
    startTime: new Date(Date.now() + 3_600_000).toISOString(),
    endTime: new Date(Date.now() + 7_200_000).toISOString(),
    reminders,
  });
  await sendReminders(desk.identityId, soon.id, Date.now() + 3_000_000);
  await changeTestEvent(desk.actor, soon.id, { status: 'cancelled' });
  expect(await sent()).toEqual([]);
});

test('nothing that people type becomes a header or a property', async () => {
  const evil = 'x\r\nBcc: eve@evil.example\r\nATTENDEE:mailto:eve@evil.example';
  await createTestEvent(desk.actor, {
    title: evil,
    location: evil,
    description: evil,
    invitees: [{ email: 'ann@quark.example', name: evil }],
  });
  await sent();
  const [{ raw, recipients } = { raw: '', recipients: [] }] = mailServer.accepted;
  expect(recipients).toEqual(['ann@quark.example']);
  const mail = await simpleParser(raw);
  expect(mail.bcc).toBeUndefined();
  const component = calendarOf(mail.attachments[0]?.content.toString() ?? '').getFirstSubcomponent('vevent');
  expect(component?.getAllProperties('attendee')).toHaveLength(1);
});
