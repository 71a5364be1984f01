import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampleEvent, sampleStamp } from '@/server/testing/calendar-samples/event';
import * as samples from '@/server/testing/calendar-samples/replies';
import { readReply } from './read-reply';
import { writeInvitation } from './write-calendar';

const stamp = new Date('2026-03-03T10:11:12Z');
const bob = 'bob@example.net';
const usual = { uid: samples.uid, sequence: 0, stamp, isForOccurrence: false };

function said(response: 'accepted' | 'declined' | 'tentative' | null, email: string | null = bob) {
  return { answers: [{ email, response }] };
}

describe('answers as calendars send them', () => {
  test.each([
    ['Exchange', samples.exchange, { sequence: 2, ...said('accepted', 'bob.stone@example.net') }],
    ['Outlook, with an identifier in its own form', samples.outlookDesktop, said('declined')],
    ['Exchange, with the name of a directory', samples.exchangeDirectory, { sequence: 1, ...said('tentative') }],
    ['Google', samples.google, said('tentative')],
    [
      'Apple, for one occurrence',
      samples.apple,
      { sequence: 1, isForOccurrence: true, ...said('accepted', 'bob+work@example.net') },
    ],
    ['Thunderbird', samples.thunderbird, said('accepted')],
    ['one without attendee', samples.withoutAttendee, { sequence: null, stamp: null, answers: [] }],
    ['one whose lines lost their ends', samples.mangled, said('tentative')],
    [
      'a delegation',
      samples.delegated,
      {
        sequence: null,
        stamp: null,
        answers: [
          { email: bob, response: null },
          { email: 'eve@example.org', response: 'accepted' },
        ],
      },
    ],
  ] as const)('%s', (_, text, expected) => {
    expect(readReply(text)).toEqual([{ ...usual, ...expected }]);
  });

  test('one cut off before END:VEVENT does not count', () => {
    expect(readReply(samples.unfinished)).toBeNull();
    expect(readReply(`${samples.unfinished.trimEnd()}\r\nEND:VEVENT\r\n`)).toEqual([
      { ...usual, sequence: null, stamp: null, ...said('declined') },
    ]);
    // The next BEGIN:VEVENT does not complete the event before.
    const second = samples.thunderbird.slice(samples.thunderbird.indexOf('BEGIN:VEVENT'));
    expect(readReply(`${samples.unfinished.trimEnd()}\r\n${second}`)).toEqual([{ ...usual, ...said('accepted') }]);
  });

  test('two occurrences in one message', () => {
    const common = { ...usual, sequence: 1, stamp: null, isForOccurrence: true };
    expect(readReply(samples.twoOccurrences)).toEqual([
      { ...common, ...said('accepted') },
      { ...common, ...said('declined') },
    ]);
  });

  test('the method may be in the MIME header only', () => {
    expect(readReply(samples.bare)).toBeNull();
    expect(readReply(samples.bare, { method: 'request' })).toBeNull();
    expect(readReply(samples.bare, { method: 'reply' })).toEqual([
      { ...usual, sequence: null, stamp: null, ...said('accepted') },
    ]);
  });

  test('what the text says goes before the MIME header', () => {
    expect(readReply(samples.counterProposal, { method: 'REPLY' })).toBeNull();
    const request = writeInvitation({ method: 'REQUEST', event: sampleEvent(), stamp: sampleStamp });
    expect(readReply(request, { method: 'REPLY' })).toBeNull();
  });

  test('only the calendar that is a reply counts', () => {
    expect(readReply(samples.counterProposal + samples.thunderbird)).toEqual([{ ...usual, ...said('accepted') }]);
  });
});

describe('attendees', () => {
  function answersOf(...attendees: string[]) {
    return readReply(`METHOD:REPLY\nBEGIN:VEVENT\nUID:1\n${attendees.join('\n')}\nEND:VEVENT`)?.[0]?.answers;
  }

  test.each([
    ['ATTENDEE;PARTSTAT=accepted:MailTo:BOB@example.net', bob, 'accepted'],
    ['attendee ; partstat = "Declined" : <bob@example.net>', bob, 'declined'],
    ['ATTENDEE;PARTSTAT=TENTATIVE:mailto:<bob@example.net>', bob, 'tentative'],
    ['ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:bob@example.net?subject=x', bob, null],
    ['ATTENDEE:mailto:bob@example.net', bob, null],
    ['ATTENDEE;PARTSTAT=ACCEPTED;CN=bob@example.net:/o=Org/ou=Group/cn=bob', bob, 'accepted'],
    ['ATTENDEE;PARTSTAT=ACCEPTED;CN=Bob:invalid:nomail', null, 'accepted'],
    ['ATTENDEE;PARTSTAT=ACCEPTED:', null, 'accepted'],
    ['ATTENDEE;CN="a;b:c,d";PARTSTAT=ACCEPTED:mailto:b%zz@example.net', 'b%zz@example.net', 'accepted'],
    ['ATTENDEE;PARTSTAT=ACC\nEPTED;CN=Bob:mailto:bob@\n example.net', bob, 'accepted'],
    ['ATTENDEE;CN=Bob;\n\tPARTSTAT=DECLINED\n\n :mailto:bob@example.net', bob, 'declined'],
  ])('%j', (line, email, response) => {
    expect(answersOf(line)).toEqual([{ email, response }]);
  });
});

describe('numbers and dates that are none', () => {
  function eventWith(line: string) {
    return readReply(`METHOD:REPLY\nBEGIN:VEVENT\nUID:1\n${line}\nEND:VEVENT`)?.[0];
  }

  test.each(['-1', '1.5', '99999999999', '2147483648', '', 'x'])('SEQUENCE:%s', (value) => {
    expect(eventWith(`SEQUENCE:${value}`)?.sequence).toBeNull();
  });

  test.each(['20260230T000000Z', '20261301T000000Z', '20260101T240000Z', '00000000T000000Z', '20260101', '+020260101T000000Z'])(
    'DTSTAMP:%s',
    (value) => {
      expect(eventWith(`DTSTAMP:${value}`)?.stamp).toBeNull();
    },
  );

  test('a leap second is told as the one before', () => {
    expect(eventWith('DTSTAMP:20161231T235960Z')?.stamp).toEqual(new Date('2016-12-31T23:59:59Z'));
  });
});

test('what stands in alarms and time zones is not of the event', () => {
  const inside = ['BEGIN:VALARM', 'UID:other', 'SEQUENCE:9', 'ATTENDEE;PARTSTAT=DECLINED:mailto:eve@example.org', 'END:VALARM'];
  const text = ['METHOD:REPLY', 'BEGIN:VEVENT', ...inside, 'UID:1', 'END:VEVENT', 'UID:after'].join('\n');
  expect(readReply(text)).toEqual([{ ...usual, uid: '1', sequence: null, stamp: null, answers: [] }]);
});

test.each([
  ['nothing', ''],
  ['a mail', 'Dear desk,\nI will come: yes.\n'],
  ['no event', 'BEGIN:VCALENDAR\nMETHOD:REPLY\nEND:VCALENDAR'],
  ['no identifier', 'METHOD:REPLY\nBEGIN:VEVENT\nATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.net\nEND:VEVENT'],
  ['an endless identifier', `METHOD:REPLY\nBEGIN:VEVENT\nUID:${'x'.repeat(1001)}\nEND:VEVENT`],
  ['too much', `METHOD:REPLY\nBEGIN:VEVENT\nUID:1\nEND:VEVENT\n${' '.repeat(1024 * 1024)}`],
])('%s is no reply', (_, text) => {
  expect(readReply(text)).toBeNull();
});

describe('hostile texts', () => {
  const mebibyte = 1024 * 1024;
  const head = 'BEGIN:VCALENDAR\nMETHOD:REPLY\nBEGIN:VEVENT\nUID:1\n';

  function filled(before: string, repeated: string): string {
    return before + repeated.repeat(Math.floor((mebibyte - before.length) / repeated.length));
  }

  const texts: [string, string][] = [
    ['line breaks', filled(head, '\r\n')],
    ['continuations', filled(`${head}ATTENDEE;CN=a`, '\n b')],
    ['lost continuations', filled(`${head}ATTENDEE;CN=a`, '\nb')],
    ['quotes', filled(`${head}ATTENDEE`, ';CN="')],
    ['unended quotes', filled(head, 'ATTENDEE;CN=":mailto:a@b\n')],
    ['parameters', filled(`${head}ATTENDEE`, ';A=b')],
    ['colons', filled(`${head}ATTENDEE`, ':mailto:')],
    ['spaces', filled(`${head}COMMENT:`, ' ')],
    ['spaces in a name', filled(head, ' \t')],
    ['spaces before no number', `${filled(`${head}SEQUENCE:`, ' ')}`],
    ['escapes', filled(`${head}COMMENT:`, '\\n')],
    ['carets', filled(`${head}ATTENDEE;X-RESPONSE-COMMENT=`, '^n')],
    ['events', filled('METHOD:REPLY\n', 'BEGIN:VEVENT\nUID:1\n')],
    ['calendars', filled('', 'BEGIN:VCALENDAR\nMETHOD:REPLY\n')],
    ['components', filled(head, 'BEGIN:X\n')],
    ['ends', filled(head, 'END:X\n')],
    ['attendees', filled(head, 'ATTENDEE;PARTSTAT=ACCEPTED:mailto:bob@example.net\n')],
    ['brackets', filled(`${head}ATTENDEE:`, '<')],
    ['per cents', filled(`${head}ATTENDEE:a`, '%41')],
    ['hexadecimal digits', filled(`${head}UID:`, '7643616c2d55696401000000')],
    ['byte order marks', filled('', '\ufeff')],
  ];

  test.each(texts)('a mebibyte of %s is read in a moment', (_, text) => {
    const cpu = process.cpuUsage();
    const replies = readReply(text);
    const { user } = process.cpuUsage(cpu);
    expect(replies?.length ?? 0).toBeLessThanOrEqual(50);
    for (const { answers } of replies ?? []) expect(answers.length).toBeLessThanOrEqual(50);
    expect(user / 1000).toBeLessThan(400);
  });

  test('no text makes it throw', () => {
    const fragment = fc.oneof(
      fc.constantFrom(
        'BEGIN:',
        'END:',
        'VEVENT',
        'VCALENDAR',
        'METHOD:REPLY',
        '\r\n',
        '\n',
        '\n ',
        'UID:',
        'ATTENDEE',
        ';',
        ':',
        '"',
      ),
      fc.constantFrom(
        'DTSTAMP:',
        'SEQUENCE:',
        'COMMENT:',
        'PARTSTAT=ACCEPTED',
        'mailto:',
        'CN=',
        '^',
        '\\',
        '%',
        'RECURRENCE-ID:',
        '=',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 60 }), (fragments) => {
        const replies = readReply(fragments.join(''), { method: 'REPLY' });
        expect(replies === null || replies.length > 0).toBe(true);
      }),
      { numRuns: 400 },
    );
  });
});
