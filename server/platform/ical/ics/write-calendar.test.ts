import { expect, test } from 'vitest';
import { sampleAttendee, sampleEvent, sampleStamp as stamp } from '@/server/testing/calendar-samples/event';
import { writeFeed, writeInvitation, writeSingle } from './write-calendar';

/** Without carriage returns, of which each line has one at its end. */
function readable(text: string): string {
  const lines = text.split('\r\n');
  expect(lines.pop()).toBe('');
  expect(lines.filter((line) => /[\r\n]/.test(line))).toEqual([]);
  return lines.join('\n');
}

const people = [
  sampleAttendee({ email: 'desk@example.com', name: 'Front Desk', isOrganizer: true }),
  sampleAttendee(),
  sampleAttendee({ email: 'eve+cal@example.org', name: 'Muñoz, Eve "Evie"', isOptional: true, response: 'tentative' }),
];

test('a request for a timed event', () => {
  const event = sampleEvent({
    title: 'Review, first quarter; final',
    description: 'Agenda:\n1. Figures\n2. Plans \\ ideas',
    location: 'Room 4; 2nd floor',
    meetingUrl: 'https://meet.example.com/j/123?pwd=a,b;c',
    meetingPassword: '0815',
    attendees: people,
  });
  expect(readable(writeInvitation({ method: 'REQUEST', event, stamp }))).toMatchInlineSnapshot(`
    "BEGIN:VCALENDAR
    PRODID:-//Frontdesk//Calendar//EN
    VERSION:2.0
    CALSCALE:GREGORIAN
    METHOD:REQUEST
    BEGIN:VTIMEZONE
    TZID:Europe/Berlin
    X-LIC-LOCATION:Europe/Berlin
    BEGIN:DAYLIGHT
    TZOFFSETFROM:+0100
    TZOFFSETTO:+0200
    DTSTART:20250330T020000
    RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
    END:DAYLIGHT
    BEGIN:STANDARD
    TZOFFSETFROM:+0200
    TZOFFSETTO:+0100
    DTSTART:20251026T030000
    RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
    END:STANDARD
    END:VTIMEZONE
    BEGIN:VEVENT
    UID:7b1c9a52-3d0e-4c5f-9a51-0d5be5f7a001@desk.example
    DTSTAMP:20260302T093005Z
    SEQUENCE:0
    CREATED:20260301T080000Z
    LAST-MODIFIED:20260302T093000Z
    DTSTART;TZID=Europe/Berlin:20260320T100000
    DTEND;TZID=Europe/Berlin:20260320T110000
    SUMMARY:Review\\, first quarter\\; final
    DESCRIPTION:Agenda:\\n1. Figures\\n2. Plans \\\\ ideas\\n\\nJoin the meeting: htt
     ps://meet.example.com/j/123?pwd=a\\,b\\;c\\nMeeting password: 0815
    LOCATION:Room 4\\; 2nd floor
    URL:https://meet.example.com/j/123?pwd=a,b;c
    CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO;LABEL=Join the meeting:https://mee
     t.example.com/j/123?pwd=a,b;c
    X-GOOGLE-CONFERENCE:https://meet.example.com/j/123?pwd=a,b;c
    STATUS:CONFIRMED
    TRANSP:OPAQUE
    ORGANIZER;CN=Front Desk:mailto:desk@example.com
    ATTENDEE;CN=Front Desk;CUTYPE=INDIVIDUAL;ROLE=CHAIR;PARTSTAT=ACCEPTED:mailt
     o:desk@example.com
    ATTENDEE;CN=Bob Stone;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS
     -ACTION;RSVP=TRUE:mailto:bob@example.net
    ATTENDEE;CN="Muñoz, Eve ^'Evie^'";CUTYPE=INDIVIDUAL;ROLE=OPT-PARTICIPANT;P
     ARTSTAT=TENTATIVE;RSVP=TRUE:mailto:eve+cal@example.org
    X-MICROSOFT-CDO-ALLDAYEVENT:FALSE
    X-MICROSOFT-CDO-BUSYSTATUS:BUSY
    X-MICROSOFT-CDO-INTENDEDSTATUS:BUSY
    END:VEVENT
    END:VCALENDAR"
  `);
});

test('a request for a series that crosses a change of clocks', () => {
  const until = Date.parse('2026-06-26T00:00:00Z');
  const event = sampleEvent({ series: { frequency: 'biweekly', until }, attendees: [sampleAttendee()] });
  expect(readable(writeInvitation({ method: 'REQUEST', event, stamp }))).toMatchInlineSnapshot(`
    "BEGIN:VCALENDAR
    PRODID:-//Frontdesk//Calendar//EN
    VERSION:2.0
    CALSCALE:GREGORIAN
    METHOD:REQUEST
    BEGIN:VTIMEZONE
    TZID:Europe/Berlin
    X-LIC-LOCATION:Europe/Berlin
    BEGIN:DAYLIGHT
    TZOFFSETFROM:+0100
    TZOFFSETTO:+0200
    DTSTART:20250330T020000
    RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
    END:DAYLIGHT
    BEGIN:STANDARD
    TZOFFSETFROM:+0200
    TZOFFSETTO:+0100
    DTSTART:20251026T030000
    RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
    END:STANDARD
    END:VTIMEZONE
    BEGIN:VEVENT
    UID:7b1c9a52-3d0e-4c5f-9a51-0d5be5f7a001@desk.example
    DTSTAMP:20260302T093005Z
    SEQUENCE:0
    CREATED:20260301T080000Z
    LAST-MODIFIED:20260302T093000Z
    DTSTART;TZID=Europe/Berlin:20260320T100000
    DTEND;TZID=Europe/Berlin:20260320T110000
    RRULE:FREQ=WEEKLY;INTERVAL=2;UNTIL=20260626T215959Z
    SUMMARY:Quarterly review
    STATUS:CONFIRMED
    TRANSP:OPAQUE
    ORGANIZER;CN=Front Desk:mailto:desk@example.com
    ATTENDEE;CN=Bob Stone;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS
     -ACTION;RSVP=TRUE:mailto:bob@example.net
    X-MICROSOFT-CDO-ALLDAYEVENT:FALSE
    X-MICROSOFT-CDO-BUSYSTATUS:BUSY
    X-MICROSOFT-CDO-INTENDEDSTATUS:BUSY
    END:VEVENT
    END:VCALENDAR"
  `);
});

test('a request for whole days', () => {
  const series = {
    start: Date.parse('2026-12-24T15:00:00+01:00'),
    end: Date.parse('2026-12-26T09:00:00+01:00'),
    allDay: true,
    frequency: 'yearly',
    until: Date.parse('2030-12-24T00:00:00Z'),
  } as const;
  const event = sampleEvent({ title: 'Closed', status: 'tentative', series, attendees: [sampleAttendee({ name: null })] });
  expect(readable(writeInvitation({ method: 'REQUEST', event, stamp }))).toMatchInlineSnapshot(`
    "BEGIN:VCALENDAR
    PRODID:-//Frontdesk//Calendar//EN
    VERSION:2.0
    CALSCALE:GREGORIAN
    METHOD:REQUEST
    BEGIN:VEVENT
    UID:7b1c9a52-3d0e-4c5f-9a51-0d5be5f7a001@desk.example
    DTSTAMP:20260302T093005Z
    SEQUENCE:0
    CREATED:20260301T080000Z
    LAST-MODIFIED:20260302T093000Z
    DTSTART;VALUE=DATE:20261224
    DTEND;VALUE=DATE:20261227
    RRULE:FREQ=YEARLY;UNTIL=20301224
    SUMMARY:Closed
    STATUS:TENTATIVE
    TRANSP:OPAQUE
    ORGANIZER;CN=Front Desk:mailto:desk@example.com
    ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;RSVP=
     TRUE:mailto:bob@example.net
    X-MICROSOFT-CDO-ALLDAYEVENT:TRUE
    X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE
    X-MICROSOFT-CDO-INTENDEDSTATUS:TENTATIVE
    END:VEVENT
    END:VCALENDAR"
  `);
});

test('a request in UTC', () => {
  const series = { timezone: 'UTC', frequency: 'daily', until: Date.parse('2026-03-25T00:00:00Z') } as const;
  const event = sampleEvent({ series, attendees: [sampleAttendee()] });
  expect(readable(writeInvitation({ method: 'REQUEST', event, stamp }))).toMatchInlineSnapshot(`
    "BEGIN:VCALENDAR
    PRODID:-//Frontdesk//Calendar//EN
    VERSION:2.0
    CALSCALE:GREGORIAN
    METHOD:REQUEST
    BEGIN:VEVENT
    UID:7b1c9a52-3d0e-4c5f-9a51-0d5be5f7a001@desk.example
    DTSTAMP:20260302T093005Z
    SEQUENCE:0
    CREATED:20260301T080000Z
    LAST-MODIFIED:20260302T093000Z
    DTSTART:20260320T090000Z
    DTEND:20260320T100000Z
    RRULE:FREQ=DAILY;UNTIL=20260325T235959Z
    SUMMARY:Quarterly review
    STATUS:CONFIRMED
    TRANSP:OPAQUE
    ORGANIZER;CN=Front Desk:mailto:desk@example.com
    ATTENDEE;CN=Bob Stone;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS
     -ACTION;RSVP=TRUE:mailto:bob@example.net
    X-MICROSOFT-CDO-ALLDAYEVENT:FALSE
    X-MICROSOFT-CDO-BUSYSTATUS:BUSY
    X-MICROSOFT-CDO-INTENDEDSTATUS:BUSY
    END:VEVENT
    END:VCALENDAR"
  `);
});

test('an update differs in sequence and modification', () => {
  const event = sampleEvent({ attendees: people });
  const update = { ...event, sequence: 3, modified: new Date('2026-03-05T11:00:00Z') };
  const before = writeInvitation({ method: 'REQUEST', event, stamp }).split('\r\n');
  const after = writeInvitation({ method: 'REQUEST', event: update, stamp: new Date('2026-03-05T11:00:01Z') }).split('\r\n');
  expect(after.filter((line) => !before.includes(line))).toEqual([
    'DTSTAMP:20260305T110001Z',
    'SEQUENCE:3',
    'LAST-MODIFIED:20260305T110000Z',
  ]);
});

test('a cancellation for one who was removed', () => {
  const event = sampleEvent({ sequence: 4, organizer: null, attendees: people });
  const attendees = [sampleAttendee({ response: 'accepted' })];
  expect(readable(writeInvitation({ method: 'CANCEL', event, stamp, attendees }))).toMatchInlineSnapshot(`
    "BEGIN:VCALENDAR
    PRODID:-//Frontdesk//Calendar//EN
    VERSION:2.0
    CALSCALE:GREGORIAN
    METHOD:CANCEL
    BEGIN:VTIMEZONE
    TZID:Europe/Berlin
    X-LIC-LOCATION:Europe/Berlin
    BEGIN:DAYLIGHT
    TZOFFSETFROM:+0100
    TZOFFSETTO:+0200
    DTSTART:20250330T020000
    RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
    END:DAYLIGHT
    BEGIN:STANDARD
    TZOFFSETFROM:+0200
    TZOFFSETTO:+0100
    DTSTART:20251026T030000
    RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
    END:STANDARD
    END:VTIMEZONE
    BEGIN:VEVENT
    UID:7b1c9a52-3d0e-4c5f-9a51-0d5be5f7a001@desk.example
    DTSTAMP:20260302T093005Z
    SEQUENCE:4
    CREATED:20260301T080000Z
    LAST-MODIFIED:20260302T093000Z
    DTSTART;TZID=Europe/Berlin:20260320T100000
    DTEND;TZID=Europe/Berlin:20260320T110000
    SUMMARY:Quarterly review
    TRANSP:TRANSPARENT
    ORGANIZER;CN=Front Desk:mailto:desk@example.com
    ATTENDEE;CN=Bob Stone;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEP
     TED:mailto:bob@example.net
    X-MICROSOFT-CDO-ALLDAYEVENT:FALSE
    X-MICROSOFT-CDO-BUSYSTATUS:FREE
    X-MICROSOFT-CDO-INTENDEDSTATUS:FREE
    END:VEVENT
    END:VCALENDAR"
  `);
});

test('a feed', () => {
  const events = [
    sampleEvent({ attendees: people, description: 'Bring the figures.' }),
    sampleEvent({
      uid: 'b',
      status: 'cancelled',
      series: { start: Date.parse('2006-01-10T09:00Z'), end: Date.parse('2006-01-10T10:00Z') },
    }),
  ];
  const text = readable(writeFeed({ name: 'Desk, all of it', description: 'What is on', events, stamp }));
  expect(text.replace(/BEGIN:VTIMEZONE.*END:VTIMEZONE/s, '(time zone)')).toMatchInlineSnapshot(`
    "BEGIN:VCALENDAR
    PRODID:-//Frontdesk//Calendar//EN
    VERSION:2.0
    CALSCALE:GREGORIAN
    NAME:Desk\\, all of it
    X-WR-CALNAME:Desk\\, all of it
    DESCRIPTION:What is on
    X-WR-CALDESC:What is on
    REFRESH-INTERVAL;VALUE=DURATION:PT1H
    X-PUBLISHED-TTL:PT1H
    (time zone)
    BEGIN:VEVENT
    UID:7b1c9a52-3d0e-4c5f-9a51-0d5be5f7a001@desk.example
    DTSTAMP:20260302T093005Z
    SEQUENCE:0
    CREATED:20260301T080000Z
    LAST-MODIFIED:20260302T093000Z
    DTSTART;TZID=Europe/Berlin:20260320T100000
    DTEND;TZID=Europe/Berlin:20260320T110000
    SUMMARY:Quarterly review
    DESCRIPTION:Bring the figures.
    STATUS:CONFIRMED
    TRANSP:OPAQUE
    X-MICROSOFT-CDO-ALLDAYEVENT:FALSE
    X-MICROSOFT-CDO-BUSYSTATUS:BUSY
    X-MICROSOFT-CDO-INTENDEDSTATUS:BUSY
    END:VEVENT
    BEGIN:VEVENT
    UID:b
    DTSTAMP:20260302T093005Z
    SEQUENCE:0
    CREATED:20260301T080000Z
    LAST-MODIFIED:20260302T093000Z
    DTSTART;TZID=Europe/Berlin:20060110T100000
    DTEND;TZID=Europe/Berlin:20060110T110000
    SUMMARY:Quarterly review
    STATUS:CANCELLED
    TRANSP:TRANSPARENT
    X-MICROSOFT-CDO-ALLDAYEVENT:FALSE
    X-MICROSOFT-CDO-BUSYSTATUS:FREE
    X-MICROSOFT-CDO-INTENDEDSTATUS:FREE
    END:VEVENT
    END:VCALENDAR"
  `);
  expect(text.match(/BEGIN:VTIMEZONE/g)).toHaveLength(1);
});

test('a single event to keep', () => {
  const text = writeSingle(sampleEvent({ attendees: people }), stamp);
  expect(text).toContain('\r\nSUMMARY:Quarterly review\r\n');
  expect(text).not.toMatch(/METHOD|ATTENDEE|ORGANIZER/);
});

test.each(['javascript:alert(1)', 'not an address', 'ftp://example.com/a', ''])('no link to %j', (meetingUrl) => {
  const text = writeSingle(sampleEvent({ meetingUrl, meetingPassword: 'secret' }), stamp);
  expect(text).not.toMatch(/^(?:URL|CONFERENCE|X-GOOGLE-CONFERENCE|LOCATION|DESCRIPTION)[:;]/m);
});
