import { expect, it } from 'vitest';
import { webcalAddress } from './webcal-address';

it('changes nothing but the scheme', () => {
  expect(['https://desk.example/api/calendar/https.ics', 'http://localhost:3000/api/calendar/x.ics'].map(webcalAddress)).toEqual([
    'webcal://desk.example/api/calendar/https.ics',
    'webcal://localhost:3000/api/calendar/x.ics',
  ]);
});
