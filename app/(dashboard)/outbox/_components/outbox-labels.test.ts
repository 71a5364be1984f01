import { expect, it } from 'vitest';
import {
  attemptsLine,
  countLabel,
  entryLabel,
  entryReasons,
  kindBefore,
  kindLabel,
  mailSubject,
  resendLabel,
  subjectLink,
} from './outbox-labels';

it('says how often a mail was tried', () => {
  expect([0, 1, 2].map(attemptsLine)).toEqual(['Not sent yet', '1 attempt', '2 attempts']);
});

it('offers to send only what has failed or waits', () => {
  const labels = (attempts: number) =>
    (['failed', 'queued', 'sending', 'sent'] as const).map((state) => resendLabel({ state, attempts }));
  expect(labels(1)).toEqual(['Retry', 'Retry now', null, null]);
  expect(labels(0)).toEqual(['Retry', 'Send now', null, null]);
});

it('says that a count ends at a thousand', () => {
  expect([999, 1000].map(countLabel)).toEqual(['999', '1,000+']);
});

it('names a mail without subject', () => {
  expect(mailSubject({ subject: ' ' })).toBe('(no subject)');
});

it('names each kind of mail, and one that is new here as well', () => {
  const kinds = ['reply', 'invitation', 'event_update', 'event_cancellation', 'event_reminder', 'something_new'];
  expect(kinds.map((kind) => kindLabel(kind).label)).toEqual([
    'Reply',
    'Invitation',
    'Event update',
    'Cancellation',
    'Reminder',
    'Email',
  ]);
  expect(new Set(kinds.map((kind) => kindLabel(kind).icon)).size).toBe(kinds.length);
});

it('says the kind once', () => {
  const mails = [
    { kind: 'reply', subject: 'Re: Opening hours' },
    { kind: 'invitation', subject: 'Invitation: Review' },
    { kind: 'event_update', subject: 'Updated: Review' },
  ];
  expect(mails.map(kindBefore)).toEqual(['Reply: ', '', 'Event update: ']);
});

it('links to the conversation or event of an email', () => {
  const hrefs = [
    { conversationId: 'c1', eventId: null },
    { conversationId: null, eventId: 'e1' },
    { conversationId: null, eventId: null },
  ].map((mail) => subjectLink(mail)?.href);
  expect(hrefs).toEqual(['/inbox/c1', '/calendar?event=e1', undefined]);
});

const attempt = { kind: 'attempt' as const, delivered: [], refusals: {}, error: null, response: '' };
const gone = '550 5.1.1 Gone';

it.each([
  ['Accepted', [], { ...attempt, delivered: ['ann@x.io'], response: '250 Ok' }],
  ['Refused', [gone], { ...attempt, refusals: { 'ann@x.io': gone, 'bob@x.io': gone } }],
  [
    'Refused',
    [`ann@x.io: ${gone}`, 'bob@x.io: 552 Full'],
    { ...attempt, refusals: { 'ann@x.io': gone, 'bob@x.io': '552 Full' } },
  ],
  ['Partly accepted', [`bob@x.io: ${gone}`], { ...attempt, delivered: ['ann@x.io'], refusals: { 'bob@x.io': gone } }],
  ['Partly accepted', ['451 Busy'], { ...attempt, delivered: ['ann@x.io'], error: '451 Busy' }],
  ['Temporary failure', [`bob@x.io: ${gone}`, '451 Busy'], { ...attempt, refusals: { 'bob@x.io': gone }, error: '451 Busy' }],
  [
    'Returned',
    ['ann@x.io: Returned: Full'],
    { ...attempt, kind: 'returned' as const, refusals: { 'ann@x.io': 'Returned: Full' } },
  ],
])('labels an attempt: %s, %j', (label, reasons, entry) => {
  expect([entryLabel(entry).label, entryReasons(entry)]).toEqual([label, reasons]);
});
