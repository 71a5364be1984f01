import { expect, test } from 'vitest';
import { loggedPath } from './logged-path';

test('the log has no query, and nothing of a path that is a credential', () => {
  expect(
    [
      '/',
      '/customers?q=ann',
      '/rsvp/secret?answer=accepted',
      '/rsvp',
      '/rsvpx/y',
      '/api/calendar/secret.ics',
      '/api/v1/calendar',
    ].map((url) => loggedPath(url, ['/rsvp/', '/api/calendar/'])),
  ).toEqual(['/', '/customers', '/rsvp/…', '/rsvp', '/rsvpx/y', '/api/calendar/…', '/api/v1/calendar']);
});
