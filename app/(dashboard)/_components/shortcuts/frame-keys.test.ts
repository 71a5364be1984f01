import { expect, it } from 'vitest';
import type { PageKeys } from '@/app/_kit/page-keys';
import { calendarKeys } from '../../calendar/_components/calendar-keys';
import { inboxKeys } from '../../inbox/_components/inbox-keys';
import { mainEntries, setupEntries } from '../nav-entries';
import { frameKeys, goKeys, navigationKeys, newRecordOf } from './frame-keys';

const chordsOf = (keys: PageKeys) => Object.values(keys).flatMap((key) => key.keys);

it.each([
  ['inbox', inboxKeys],
  ['calendar', calendarKeys],
  ['frame', { ...frameKeys, ...navigationKeys }],
])('gives every key of the %s one meaning only', (_, keys) => {
  const chords = chordsOf(keys);
  expect(new Set(chords).size).toBe(chords.length);
});

it('leaves g to going places', () => {
  for (const keys of [inboxKeys, calendarKeys]) expect(chordsOf(keys)).not.toContain('g');
});

it('goes to every place of daily use, and only to places there are', () => {
  const hrefs = [...mainEntries, ...setupEntries].map(({ href }) => href);
  for (const { href } of mainEntries) expect(goKeys(href), href).toMatch(/^g [a-z]$/);
  for (const href of Object.keys(navigationKeys)) expect(hrefs).toContain(href);
});

it('begins with n what the page is about', () => {
  expect(newRecordOf('/customers/0199f3b2')?.href).toBe('/customers/new');
  expect(newRecordOf('/posts')?.meaning).toBe('New post');
  expect(newRecordOf('/')).toBeUndefined();
  expect(newRecordOf('/postscript')).toBeUndefined();
});
