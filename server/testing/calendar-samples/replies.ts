/** Replies as common calendars write them, valid and broken. */

function calendar(...lines: string[]): string {
  return ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n');
}

export const uid = '7b1c9a52-3d0e-4c5f-9a51-0d5be5f7a001@desk.example';

const zone = [
  'BEGIN:VTIMEZONE',
  'TZID:W. Europe Standard Time',
  'BEGIN:STANDARD',
  'DTSTART:16010101T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
  'END:STANDARD',
  'END:VTIMEZONE',
];

const alarm = [
  'BEGIN:VALARM',
  'DESCRIPTION:REMINDER',
  'UID:alarm',
  'TRIGGER;RELATED=START:-PT15M',
  'ACTION:DISPLAY',
  'END:VALARM',
];

export const exchange = calendar(
  'METHOD:REPLY',
  'PRODID:Microsoft Exchange Server 2010',
  'VERSION:2.0',
  ...zone,
  'BEGIN:VEVENT',
  'ATTENDEE;PARTSTAT=ACCEPTED;CN=Bob Stone:mailto:Bob.Stone@Example.NET',
  'COMMENT;LANGUAGE=en-GB:I will be there\\, a little late.\\n',
  `UID:${uid}`,
  'SUMMARY;LANGUAGE=en-GB:Accepted: Quarterly review',
  'DTSTART;TZID=W. Europe Standard Time:20260320T100000',
  'DTEND;TZID=W. Europe Standard Time:20260320T110000',
  'CLASS:PUBLIC',
  'DTSTAMP:20260303T101112Z',
  'SEQUENCE:2',
  'X-MICROSOFT-CDO-APPT-SEQUENCE:2',
  'X-MICROSOFT-CDO-BUSYSTATUS:BUSY',
  ...alarm,
  'END:VEVENT',
);

export const outlookDesktop = calendar(
  'PRODID:-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN',
  'VERSION:2.0',
  'METHOD:REPLY',
  'X-MS-OLK-FORCEINSPECTOROPEN:TRUE',
  ...zone,
  'BEGIN:VEVENT',
  'ATTENDEE;PARTSTAT=DECLINED:mailto:bob@example.net',
  'CLASS:PUBLIC',
  'CREATED:20260303T101112Z',
  'DESCRIPTION:\\n',
  'DTEND;TZID="W. Europe Standard Time":20260320T110000',
  'DTSTAMP:20260303T101112Z',
  'DTSTART;TZID="W. Europe Standard Time":20260320T100000',
  'SEQUENCE:0',
  'SUMMARY;LANGUAGE=de:Abgelehnt: Quarterly review',
  // The identifier of another calendar, wrapped in this program's own format.
  `UID:${`040000008200E00074C5B7101A82E008${'0'.repeat(48)}`}3A0000007643616C2D55696401000000${Buffer.from(uid).toString('hex').toUpperCase()}00`,
  'END:VEVENT',
);

export const exchangeDirectory = calendar(
  'METHOD:REPLY',
  'BEGIN:VEVENT',
  'ATTENDEE;CN="Stone, Bob: Sales";PARTSTAT=TENTATIVE;EMAIL=bob@example.net:invalid:nomail',
  `UID:${uid}`,
  'SEQUENCE:1',
  'DTSTAMP:20260303T101112Z',
  'END:VEVENT',
);

export const google = calendar(
  'PRODID:-//Google Inc//Google Calendar 70.9054//EN',
  'VERSION:2.0',
  'CALSCALE:GREGORIAN',
  'METHOD:REPLY',
  'BEGIN:VEVENT',
  'DTSTART:20260320T090000Z',
  'DTEND:20260320T100000Z',
  'DTSTAMP:20260303T101112Z',
  'ORGANIZER;CN=Front Desk:mailto:desk@example.com',
  `UID:${uid}`,
  'ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=REQ-PARTICIPANT;PARTSTAT=TENTATIVE;CN=bob@e',
  ' xample.net;X-NUM-GUESTS=0;X-RESPONSE-COMMENT="Maybe; depends on trains":mai',
  ' lto:bob@example.net',
  'CREATED:20260301T080000Z',
  'DESCRIPTION:',
  'LAST-MODIFIED:20260303T101112Z',
  'LOCATION:',
  'SEQUENCE:0',
  'STATUS:CONFIRMED',
  'SUMMARY:Quarterly review',
  'TRANSP:OPAQUE',
  'END:VEVENT',
);

export const apple = calendar(
  'VERSION:2.0',
  'PRODID:-//Apple Inc.//macOS 14.5//EN',
  'CALSCALE:GREGORIAN',
  'METHOD:REPLY',
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'RECURRENCE-ID;TZID=Europe/Berlin:20260403T100000',
  'ATTENDEE;CN="Bob Stone";CUTYPE=INDIVIDUAL;EMAIL="bob@example.net";PARTSTAT=ACCEPTED:MAILTO:bob%2Bwork@example.net',
  'DTSTAMP:20260303T101112Z',
  'SEQUENCE:1',
  'REQUEST-STATUS:2.0;Success',
  'END:VEVENT',
);

export const thunderbird = calendar(
  'PRODID:-//Mozilla.org/NONSGML Mozilla Calendar V1.1//EN',
  'VERSION:2.0',
  'METHOD:REPLY',
  'BEGIN:VEVENT',
  'CREATED:20260301T080000Z',
  'DTSTAMP:20260303T101112Z',
  `UID:${uid}`,
  'ORGANIZER;CN=Front Desk:mailto:desk@example.com',
  "ATTENDEE;PARTSTAT=ACCEPTED;ROLE=REQ-PARTICIPANT;CN=Bob ^'the Stone^':mailto:bob@example.net",
  'X-MOZ-RECEIVED-SEQUENCE:0',
  'SEQUENCE:0',
  'END:VEVENT',
);

/** The minimum of a reply; the method is in the MIME header only. */
export const bare = calendar('begin:vevent', `uid:${uid}`, 'attendee;partstat=accepted:bob@example.net', 'end:vevent');

export const withoutAttendee = calendar('METHOD:REPLY', 'BEGIN:VEVENT', `UID:${uid}`, 'SUMMARY:Accepted', 'END:VEVENT');

/** Line feeds only, a byte order mark, and folded lines without the leading space. */
export const mangled = `\ufeff${google.replaceAll('\r\n ', '\n').replaceAll('\r\n', '\n')}`;

/** Truncated in transit, in the middle of a broken time zone. */
export const unfinished = [
  'BEGIN:VCALENDAR',
  'METHOD:REPLY',
  'BEGIN:VTIMEZONE',
  'TZID',
  'BEGIN:STANDARD',
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'ATTENDEE;PARTSTAT=DECLINED;CN="Bob Stone:mailto:bob@example.net',
  'SEQUENCE:many',
  'DTSTAMP:20261345T101112Z',
].join('\n');

/** Two occurrences in one message. */
export const twoOccurrences = calendar(
  'METHOD:reply',
  ...['ACCEPTED', 'DECLINED'].flatMap((answer, index) => [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `RECURRENCE-ID:2026040${index + 1}T080000Z`,
    `ATTENDEE;PARTSTAT=${answer}:mailto:bob@example.net`,
    'SEQUENCE:1',
    'END:VEVENT',
  ]),
);

export const delegated = calendar(
  'METHOD:REPLY',
  'BEGIN:VEVENT',
  `UID:${uid}`,
  'ATTENDEE;PARTSTAT=DELEGATED;DELEGATED-TO="mailto:eve@example.org":mailto:bob@example.net',
  'ATTENDEE;PARTSTAT=ACCEPTED;DELEGATED-FROM="mailto:bob@example.net":mailto:eve@example.org',
  'END:VEVENT',
);

export const counterProposal = exchange.replace('METHOD:REPLY', 'METHOD:COUNTER');
