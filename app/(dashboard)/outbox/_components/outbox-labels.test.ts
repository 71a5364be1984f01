import { expect, it } from 'vitest';
import { attemptsLine, countLabel, kindBefore, kindLabel, mailHref, mailSubject, resendLabel } from './outbox-labels';

it('says how often a mail was tried', () => {
  expect([0, 1, 2].map(attemptsLine)).toEqual(['Not sent yet', '1 attempt', '2 attempts']);
});

it('offers to send only what has failed or waits', () => {
  expect([resendLabel('failed'), resendLabel('queued'), resendLabel('sending'), resendLabel('sent')]).toEqual([
    'Retry',
    'Retry now',
    null,
    null,
  ]);
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

it('leads to what a mail belongs to', () => {
  const hrefs = [
    { kind: 'reply', conversationId: 'c1' },
    { kind: 'reply', conversationId: null },
    { kind: 'invitation', conversationId: null },
    { kind: 'event_cancellation', conversationId: null },
  ].map(mailHref);
  expect(hrefs).toEqual(['/inbox/c1', '/inbox', '/calendar', '/calendar']);
});
