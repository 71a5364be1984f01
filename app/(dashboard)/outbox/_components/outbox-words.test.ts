import { expect, it } from 'vitest';
import { attemptsLine, countLabel, mailSubject, resendLabel } from './outbox-words';

it('says how often a mail was tried', () => {
  expect([0, 1, 2].map(attemptsLine)).toEqual(['Not tried yet', 'Tried once', 'Tried 2 times']);
});

it('offers to send only what has failed or waits', () => {
  expect([resendLabel('failed'), resendLabel('queued'), resendLabel('sending'), resendLabel('sent')]).toEqual([
    'Send again',
    'Try now',
    null,
    null,
  ]);
});

it('says that a count ends at a thousand', () => {
  expect([999, 1000].map(countLabel)).toEqual(['999', '1,000+']);
});

it('names a mail without subject', () => {
  expect(mailSubject({ subject: ' ' })).toBe('No subject');
});
