import { expect, it } from 'vitest';
import type { LiveCounts } from '@/server/features/conversations/conversation.schema';
import { badgeCount, listedEntries, mainEntries, setupEntries } from './nav-entries';

const quiet: LiveCounts = {
  version: '1',
  calendarVersion: '1',
  unread: 0,
  inbox: 0,
  archived: 0,
  spam: 0,
  trash: 0,
  snoozed: 0,
  failedMails: 0,
  waitingMails: 0,
  quarantined: 0,
};

const labels = (pathname: string, liveCounts: LiveCounts | undefined) =>
  listedEntries(setupEntries, { pathname, liveCounts, role: 'owner' }).map(({ label }) => label);

it('lists the quarantine only while something is in it, or while one is there', () => {
  expect(labels('/', quiet)).not.toContain('Blocked messages');
  expect(labels('/', undefined)).not.toContain('Blocked messages');
  expect(labels('/', { ...quiet, quarantined: 1 })).toContain('Blocked messages');
  expect(labels('/quarantine', quiet)).toContain('Blocked messages');
});

it('always lists what is not occasional', () => {
  expect(labels('/', undefined)).toEqual(['Sent & delivery', 'Business profile', 'API keys', 'Audit log', 'Settings']);
});

it('counts what is unread beside the inbox, and nothing beside what has no badge', () => {
  const counts = mainEntries.map((entry) => [entry.href, badgeCount(entry, { ...quiet, unread: 4 })]);
  expect(Object.fromEntries(counts)).toMatchObject({ '/': 0, '/inbox': 4, '/customers': 0 });
});

it('puts the places of daily use first, as many as a phone has room for', () => {
  expect(mainEntries.slice(0, 4).map(({ label }) => label)).toEqual(['Home', 'Inbox', 'Calendar', 'Customers']);
});

it('lists no page that the role may not open', () => {
  const listed = listedEntries(setupEntries, { pathname: '/', liveCounts: quiet, role: 'viewer' });
  expect(listed.map(({ label }) => label)).toEqual(['Sent & delivery', 'Business profile', 'Settings']);
});
