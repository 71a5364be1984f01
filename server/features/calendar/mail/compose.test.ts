import { describe, expect, test } from 'vitest';
import { event, guest, parties, start } from '@/server/testing/calendar-samples/mails';
import { composeCancellation, composeInvitation, composeReminder, composeUpdate } from './compose';
import type { MailedEvent } from './mailed-event';

const minute = 60_000;
const day = 24 * 60 * minute;
const weekly: MailedEvent = { ...event, series: { ...event.series, frequency: 'weekly', until: Date.UTC(2027, 2, 4) } };
const answered = {
  ...parties,
  guests: parties.guests.map((one) => (one.email === 'ann@quark.example' ? { ...one, response: 'accepted' as const } : one)),
};

describe('an invitation', () => {
  test('says it all', () => {
    const { subject, text } = composeInvitation(weekly, parties);
    expect(subject).toBe('Invitation: Quarterly review with Quark Labs @ Tue 24 Nov 2026, 09:00 (Europe/Berlin)');
    expect(text).toMatchInlineSnapshot(`
      "Mira Okafor from Harbor Studio invites you.

      Quarterly review with Quark Labs

      First: Tuesday, 24 November 2026, 09:00–10:00 (Europe/Berlin, GMT+1)
      Repeats: Every week on Tuesday, until 4 March 2027
      Where: Harbor Studio, Torstraße 12, Berlin
      Join with Zoom: https://zoom.example/j/123?pwd=x
      Meeting password: 4711

      Will you attend?
      https://desk.example/rsvp/tok_en-1

      We go through the figures.
      Bring questions.

      Agenda: https://harbor.example/agenda?q=4&lang=en

      Organizer: Mira Okafor (mira@harbor.example)
      Guests:
        Ann O'Neill (you)
        Ben Ito (accepted)
        cy@quark.example (optional, maybe)

      This email was sent to ann@quark.example on behalf of Harbor Studio. The response link is personal. Anyone who has it can respond for you.

      -- 
      Mira Okafor
      Client care, Harbor Studio
      "
    `);
  });

  test('says no more than there is', () => {
    const bare: MailedEvent = {
      title: 'Coffee',
      description: '',
      location: null,
      series: { ...event.series, allDay: true },
      meeting: null,
      status: 'tentative',
    };
    const blank = { ...parties, organizerName: '', signature: '', answerUrl: null, guests: [] };
    expect(composeInvitation(bare, blank).text).toMatchInlineSnapshot(`
      "Harbor Studio invites you.

      Coffee

      When: Tuesday, 24 November 2026, all day
      Status: Not confirmed yet

      Organizer: Harbor Studio (mira@harbor.example)

      This email was sent to ann@quark.example on behalf of Harbor Studio.
      "
    `);
  });

  test('names twenty guests and counts the others, the organizer among neither', () => {
    const guests = (count: number) => [
      guest('mira@harbor.example', { isOrganizer: true }),
      ...Array.from({ length: count }, (_, at) => guest(`g${at}@x.example`)),
    ];
    const textOf = (count: number) => composeInvitation(event, { ...parties, guests: guests(count) }).text;
    expect(textOf(33)).toContain('g19@x.example\n  and 13 more\n');
    expect(textOf(33)).not.toContain('g20@x.example');
    expect(textOf(21)).toContain('g20@x.example\n');
    expect(textOf(21)).not.toContain(' more\n');
  });

  test('has a subject of one line and bearable length', () => {
    const { subject } = composeInvitation({ ...event, title: `Two\r\nBcc: x@y.example ${'😀'.repeat(240)}` }, parties);
    expect(subject).toMatch(/^Invitation: Two Bcc: x@y\.example .*… @ Tue 24 Nov 2026, 09:00 \(Europe\/Berlin\)$/u);
    expect(subject.length).toBeLessThan(200);
    expect(subject.isWellFormed()).toBe(true);
  });

  test('leaves out marks that would turn the text around', () => {
    const { subject, text } = composeInvitation({ ...event, title: 'Pay \u202egro.live\u2066' }, parties);
    expect(subject).toContain('Invitation: Pay gro.live @ ');
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  test.each([
    ['Mira Okafor', 'Harbor Studio', 'Mira Okafor from Harbor Studio invites you.'],
    ['Harbor Studio', 'harbor studio', 'Harbor Studio invites you.'],
    ['', 'Harbor Studio', 'Harbor Studio invites you.'],
    ['', '', 'mira@harbor.example invites you.'],
  ])('from %j of %j', (organizerName, businessName, words) => {
    expect(composeInvitation(event, { ...parties, organizerName, businessName }).text.split('\n')[0]).toBe(words);
  });

  test('a description without end is cut', () => {
    const { text, html } = composeInvitation({ ...event, description: 'line\n\n\n\n'.repeat(100_000) }, parties);
    expect(text.length).toBeLessThan(15_000);
    expect(html.length).toBeLessThan(60_000);
  });
});

describe('an update', () => {
  const moved: MailedEvent = {
    ...weekly,
    title: 'Review',
    location: '',
    series: { ...weekly.series, start: start + day, end: start + day + 30 * minute },
    meeting: { provider: 'teams', url: 'https://teams.example/x' },
  };

  test('lists old and new', () => {
    const { subject, text } = composeUpdate(moved, event, answered);
    expect(subject).toBe('Updated: Review @ Wed 25 Nov 2026, 09:00 (Europe/Berlin)');
    expect(text).toMatchInlineSnapshot(`
      "Mira Okafor from Harbor Studio has updated this event. Please check that your response is still right.

      Review

      What has changed
      Title: Quarterly review with Quark Labs
        → Review
      When: Tuesday, 24 November 2026, 09:00–10:00 (Europe/Berlin, GMT+1)
        → Wednesday, 25 November 2026, 09:00–09:30 (Europe/Berlin, GMT+1)
      Repeats: Does not repeat
        → Every week on Wednesday, until 4 March 2027
      Where: Harbor Studio, Torstraße 12, Berlin
        → none
      Meeting: Zoom, https://zoom.example/j/123?pwd=x
        → Microsoft Teams, https://teams.example/x
      Meeting password: 4711
        → none

      First: Wednesday, 25 November 2026, 09:00–09:30 (Europe/Berlin, GMT+1)
      Repeats: Every week on Wednesday, until 4 March 2027
      Join with Microsoft Teams: https://teams.example/x

      Your response: yes. You can still change it.
      https://desk.example/rsvp/tok_en-1

      We go through the figures.
      Bring questions.

      Agenda: https://harbor.example/agenda?q=4&lang=en

      Organizer: Mira Okafor (mira@harbor.example)
      Guests:
        Ann O'Neill (you, accepted)
        Ben Ito (accepted)
        cy@quark.example (optional, maybe)

      This email was sent to ann@quark.example on behalf of Harbor Studio. The response link is personal. Anyone who has it can respond for you.

      -- 
      Mira Okafor
      Client care, Harbor Studio
      "
    `);
  });

  test('lists nothing where only description or guests changed', () => {
    const described = composeUpdate({ ...event, description: 'Other' }, event, answered).text;
    expect(described).toContain('has updated this event. The description has changed.\n');
    expect(described).not.toContain('What has changed');
    expect(described).not.toContain('still holds');
    expect(composeUpdate(event, event, parties).text).toContain('Mira Okafor from Harbor Studio has updated this event.\n');
  });

  test('of the time does not question an answer that was not given', () => {
    expect(composeUpdate(moved, event, parties).text).not.toContain('still holds');
  });
});

describe('a cancellation', () => {
  test('of the event', () => {
    const { subject, text } = composeCancellation({ ...weekly, status: 'cancelled' }, parties, { reason: 'cancelled' });
    expect(subject).toBe('Canceled: Quarterly review with Quark Labs @ Tue 24 Nov 2026, 09:00 (Europe/Berlin)');
    expect(text).toMatchInlineSnapshot(`
      "Mira Okafor from Harbor Studio has canceled this event and all its dates. No action needed.

      Quarterly review with Quark Labs

      First: Tuesday, 24 November 2026, 09:00–10:00 (Europe/Berlin, GMT+1)
      Repeats: Every week on Tuesday, until 4 March 2027
      Where: Harbor Studio, Torstraße 12, Berlin

      Organizer: Mira Okafor (mira@harbor.example)

      This email was sent to ann@quark.example on behalf of Harbor Studio.

      -- 
      Mira Okafor
      Client care, Harbor Studio
      "
    `);
  });

  test('of one date speaks of that date', () => {
    const occurrence = { start: start + 7 * day, end: start + 7 * day + 60 * minute };
    const { subject, text } = composeCancellation({ ...weekly, occurrence }, parties, { reason: 'cancelled' });
    expect(subject).toContain('@ Tue 1 Dec 2026, 09:00');
    expect(text).toContain('has canceled this event. No');
    expect(text).not.toContain('Every week');
  });

  test('for somebody taken off the list tells what and when, and nothing that is for guests', () => {
    const { subject, text, html } = composeCancellation(event, parties, { reason: 'removed' });
    expect(subject).toBe('No longer invited: Quarterly review with Quark Labs @ Tue 24 Nov 2026, 09:00 (Europe/Berlin)');
    expect(text).toMatchInlineSnapshot(`
      "You are no longer invited to this event. No action needed.

      Quarterly review with Quark Labs

      When: Tuesday, 24 November 2026, 09:00–10:00 (Europe/Berlin, GMT+1)

      Organizer: Mira Okafor (mira@harbor.example)

      This email was sent to ann@quark.example on behalf of Harbor Studio.

      -- 
      Mira Okafor
      Client care, Harbor Studio
      "
    `);
    for (const secret of ['zoom', '4711', 'Torstra', 'figures', 'rsvp', 'ben@', 'Ben Ito'])
      expect(text + html).not.toContain(secret);
  });
});

describe('a reminder', () => {
  const occurrence = { start: start + 7 * day, end: start + 7 * day + 60 * minute };
  const now = occurrence.start - 10 * minute;

  test('for somebody invited', () => {
    const { subject, text } = composeReminder({ ...weekly, occurrence }, answered, { now, dashboardUrl: null });
    expect(subject).toBe('Reminder: Quarterly review with Quark Labs @ Tue 1 Dec 2026, 09:00 (Europe/Berlin)');
    expect(text).toMatchInlineSnapshot(`
      "Starts in 10 minutes.

      Quarterly review with Quark Labs

      When: Tuesday, 1 December 2026, 09:00–10:00 (Europe/Berlin, GMT+1)
      Where: Harbor Studio, Torstraße 12, Berlin
      Join with Zoom: https://zoom.example/j/123?pwd=x
      Meeting password: 4711

      Your response: yes. You can still change it.
      https://desk.example/rsvp/tok_en-1

      We go through the figures.
      Bring questions.

      Agenda: https://harbor.example/agenda?q=4&lang=en

      Organizer: Mira Okafor (mira@harbor.example)
      Guests:
        Ann O'Neill (you, accepted)
        Ben Ito (accepted)
        cy@quark.example (optional, maybe)

      This email was sent to ann@quark.example on behalf of Harbor Studio. The response link is personal. Anyone who has it can respond for you.

      -- 
      Mira Okafor
      Client care, Harbor Studio
      "
    `);
  });

  test('for the owner', () => {
    const dashboardUrl = 'https://desk.example/calendar/e1';
    const owner = { ...parties, invitee: { email: 'owner@harbor.example', name: null }, signature: '' };
    expect(composeReminder({ ...weekly, occurrence }, owner, { now, dashboardUrl }).text).toMatchInlineSnapshot(`
      "Starts in 10 minutes.

      Quarterly review with Quark Labs

      When: Tuesday, 1 December 2026, 09:00–10:00 (Europe/Berlin, GMT+1)
      Where: Harbor Studio, Torstraße 12, Berlin
      Join with Zoom: https://zoom.example/j/123?pwd=x
      Meeting password: 4711

      Open in dashboard: https://desk.example/calendar/e1

      We go through the figures.
      Bring questions.

      Agenda: https://harbor.example/agenda?q=4&lang=en

      Responses: 1 accepted, 1 maybe, 1 no response
      Guests:
        Ann O'Neill
        Ben Ito (accepted)
        cy@quark.example (optional, maybe)

      This email was sent to owner@harbor.example on behalf of Harbor Studio.
      "
    `);
  });

  test('that comes late, or for whole days', () => {
    const first = (text: string) => text.split('\n')[0];
    const remind = (mailed: MailedEvent, at: number) =>
      first(composeReminder(mailed, parties, { now: at, dashboardUrl: null }).text);
    expect(remind(event, start + 5 * minute)).toBe('This has started.');
    expect(remind({ ...event, series: { ...event.series, allDay: true } }, start - day)).toBe('Tomorrow.');
  });
});
