import { expect, test } from 'vitest';
import { loggedPath } from './logged-path';

test('the log has no query, and no address that is a right by itself', () => {
  expect(
    [
      '/',
      '/customers?q=ann',
      '/rsvp/secret?answer=accepted',
      '/rsvp',
      '/rsvpx/y',
      '/api/calendar/secret.ics',
      '/api/v1/calendar',
    ].map(loggedPath),
  ).toEqual(['/', '/customers', '/rsvp/…', '/rsvp', '/rsvpx/y', '/api/calendar/…', '/api/v1/calendar']);
});
