import { describe, expect, test } from 'vitest';
import type { EventRecord } from '@/server/features/calendar/calendar.schema';
import { mailPlan, patchOf, rebased, saveLabel } from './event-patch';
import { type EventValues, toValues } from './event-values';
import { makeEvent, makeInvitee } from './testing/event-fixtures';

const patchAfter = (event: EventRecord, changes: Partial<EventValues>) => {
  const before = toValues(event);
  return patchOf(before, { ...before, ...changes });
};

describe('a patch', () => {
  test('has only what was changed', () => {
    expect(patchAfter(makeEvent(), {})).toEqual({});
    expect(patchAfter(makeEvent(), { title: 'Rims ', color: 'red' })).toEqual({ title: 'Rims', color: 'red' });
    expect(patchAfter(makeEvent(), { status: 'tentative' })).toEqual({ status: 'tentative' });
  });

  test('leaves times alone that the form can’t tell exactly', () => {
    // Seconds, and the second of two repeated hours.
    const event = makeEvent({ startTime: '2026-10-25T01:30:15.000Z', endTime: '2026-10-25T03:00:00.000Z' });
    expect(patchAfter(event, { title: 'Rims' })).toEqual({ title: 'Rims' });
    expect(patchAfter(event, { endTime: '05:00' })).toEqual({ endTime: '2026-10-25T04:00:00.000Z' });
  });

  test('sends both times anew with another zone or other days, also where the moments stay', () => {
    expect(patchAfter(makeEvent(), { timezone: 'Europe/Paris' })).toEqual({
      timezone: 'Europe/Paris',
      startTime: '2026-11-24T09:00:00.000Z',
      endTime: '2026-11-24T10:00:00.000Z',
    });
    expect(patchAfter(makeEvent(), { allDay: true })).toEqual({
      allDay: true,
      startTime: '2026-11-23T23:00:00.000Z',
      endTime: '2026-11-24T23:00:00.000Z',
    });
  });

  test('takes a meeting away, and the end of a series with the series', () => {
    const meeting = { provider: 'zoom' as const, url: 'https://zoom.example/1' };
    const event = makeEvent({ virtualMeeting: meeting, recurrence: 'daily', recurrenceEndDate: '2026-12-01T00:00:00.000Z' });
    expect(patchAfter(event, { meeting: { provider: 'none', url: meeting.url, password: '' }, recurrence: 'none' })).toEqual({
      virtualMeeting: null,
      recurrence: 'none',
      recurrenceEndDate: null,
    });
  });
});

describe('who is emailed on saving', () => {
  const invitees = [
    makeInvitee('ann@quark.example'),
    makeInvitee('bob@quark.example'),
    makeInvitee('shop@harbor.example', { isOrganizer: true }),
  ];
  const event = makeEvent({ invitees });
  const typed = (email: string) => ({ email, name: '', isOptional: false });
  const planAfter = (changes: Partial<EventValues>, stored: EventRecord | null = event) => {
    const before = toValues(event);
    const values = { ...before, ...changes };
    const patch = stored ? patchOf(before, values) : {};
    return mailPlan({ event: stored, values, patch, ownAddress: 'shop@harbor.example' });
  };

  test('those invited before, where they would see a difference', () => {
    expect(planAfter({ title: 'Rims' })).toEqual({ known: 2, added: 0, removed: 0, affectsInvitees: true });
    expect(planAfter({ color: 'red', reminders: [{ value: '5', unit: 'minutes' }] }).affectsInvitees).toBe(false);
  });

  test('new guests, unless the event sends no email or is canceled, and never the business itself', () => {
    const list = [...toValues(event).invitees, typed('cy@quark.example')];
    expect(planAfter({ invitees: list })).toEqual({ known: 2, added: 1, removed: 0, affectsInvitees: false });
    expect(planAfter({ invitees: list, sendEmailReminders: false }).added).toBe(0);
    expect(planAfter({ invitees: list, status: 'cancelled' }).added).toBe(0);
    expect(planAfter({}, null)).toEqual({ known: 0, added: 2, removed: 0, affectsInvitees: false });
  });

  test('who is taken off the list is asked about', () => {
    expect(planAfter({ invitees: [typed('ann@quark.example')] })).toMatchObject({ known: 1, removed: 1, affectsInvitees: true });
  });

  test('guests who were never emailed, once the event sends email', () => {
    const quiet = makeEvent({ sendEmailReminders: false, invitees: [makeInvitee('ann@quark.example', { invitedAt: null })] });
    const before = toValues(quiet);
    const values = { ...before, sendEmailReminders: true };
    const plan = mailPlan({ event: quiet, values, patch: patchOf(before, values), ownAddress: null });
    expect(plan).toEqual({ known: 1, added: 0, removed: 0, affectsInvitees: true });
    expect(planAfter({ sendEmailReminders: false }).affectsInvitees).toBe(false);
  });

  test('the button names it', () => {
    const plan = { known: 0, added: 3, removed: 0, affectsInvitees: false };
    expect(saveLabel({ plan, isNew: true })).toBe('Send 3 invitations');
    expect(saveLabel({ plan: { ...plan, added: 1 }, isNew: false })).toBe('Save and send 1 invitation');
    expect(saveLabel({ plan: { ...plan, added: 0 }, isNew: false })).toBe('Save');
  });
});

describe('what is typed on top of a newer version', () => {
  const base = toValues(makeEvent({ invitees: [makeInvitee('ann@quark.example'), makeInvitee('bob@quark.example')] }));

  test('stays, and the rest is that of the newer version', () => {
    const merged = rebased(base, { ...base, title: 'Mine' }, { ...base, title: 'Theirs', location: 'Pier 4' });
    expect(merged).toMatchObject({ title: 'Mine', location: 'Pier 4' });
  });

  test('times go together', () => {
    const merged = rebased(base, { ...base, startTime: '08:00' }, { ...base, endTime: '12:00', timezone: 'Asia/Tokyo' });
    expect(merged).toMatchObject({ startTime: '08:00', endTime: base.endTime, timezone: base.timezone });
  });

  test('invitees who were added or removed here or there are so in both', () => {
    const [ann, bob] = base.invitees;
    if (!ann || !bob) throw new Error('two are invited');
    const cy = { email: 'cy@quark.example', name: '', isOptional: false };
    const di = { email: 'di@quark.example', name: '', isOptional: false };
    const mine = { ...base, invitees: [{ ...ann, name: 'Ann' }, cy] };
    const theirs = { ...base, invitees: [ann, bob, di] };
    expect(rebased(base, mine, theirs).invitees).toEqual([{ ...ann, name: 'Ann' }, di, cy]);
    expect(rebased(base, mine, { ...base, invitees: [bob] }).invitees).toEqual([cy]);
  });
});
