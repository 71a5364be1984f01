import { describe, expect, test } from 'vitest';
import { listConversationsInput } from '@/server/features/conversations/conversation.schema';
import {
  belongsTo,
  type InboxSearch,
  inboxSearchQuery,
  inboxViews,
  isNarrowed,
  listInput,
  loadInboxSearch,
} from './search-params';

const agent = '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50';
const search = (changes: Partial<InboxSearch> = {}): InboxSearch => ({
  view: 'inbox',
  sort: null,
  status: null,
  agent: '',
  label: '',
  assignee: '',
  q: '',
  ...changes,
});

describe('the list call of an address', () => {
  test('asks for the inbox with nothing but a limit', () => {
    expect(listInput(search())).toEqual({ limit: 30 });
  });

  test.each([
    ['unread', { limit: 30, isRead: false }],
    ['waiting', { limit: 30, status: 'waiting_human' }],
    ['snoozed', { limit: 30, folder: 'snoozed' }],
    ['archived', { limit: 30, folder: 'archived' }],
    ['spam', { limit: 30, folder: 'spam' }],
    ['trash', { limit: 30, folder: 'trash' }],
  ] as const)('of the view %s', (view, input) => {
    expect(listInput(search({ view }))).toEqual(input);
  });

  test('takes filters along, except that waiting is a status of its own', () => {
    expect(listInput(search({ status: 'failed', agent, label: agent, assignee: 'me', sort: 'waiting', q: 'brake' }))).toEqual({
      limit: 30,
      status: 'failed',
      sort: 'waiting',
      agentId: agent,
      labelId: agent,
      assignee: 'me',
      query: 'brake',
      isArchived: true,
      isSpam: true,
    });
    expect(listInput(search({ view: 'spam', q: 'brake' }))).toEqual({
      limit: 30,
      folder: 'spam',
      sort: 'relevance',
      query: 'brake',
    });
    expect(listInput(search({ sort: 'newest', q: 'brake' }))).not.toHaveProperty('sort');
    expect(listInput(search({ view: 'waiting', status: 'failed' }))).toEqual({ limit: 30, status: 'waiting_human' });
  });

  test.each(inboxViews)('is one the API takes, whatever stands in the address (%s)', (view) => {
    const typed = loadInboxSearch(
      new URLSearchParams({
        view,
        agent: 'unknown',
        label: 'unknown',
        assignee: 'x',
        q: 'x'.repeat(900),
        status: 'no such status',
      }),
    );
    expect(listConversationsInput.safeParse({ ...listInput(typed), offset: 0 }).success).toBe(true);
  });
});

test('an address holds only what differs from the whole inbox, and brings it back', () => {
  expect(inboxSearchQuery(search())).toBe('');
  const narrowed = search({ view: 'spam', status: 'completed', agent, assignee: 'none', q: 'tyre & tube' });
  expect(loadInboxSearch(new URLSearchParams(inboxSearchQuery(narrowed)))).toEqual(narrowed);
});

test.each([
  [{}, ['inbox', 'unread', 'waiting']],
  [{ isArchived: true }, ['archived']],
  [{ isArchived: true, snoozedUntil: '2026-12-01T08:00:00.000Z' }, ['snoozed', 'archived']],
  [{ isSpam: true }, ['spam']],
  [{ isArchived: true, isSpam: true }, ['spam']],
  [{ isSpam: true, isTrashed: true }, ['trash']],
])('a conversation with %j stands in %j', (flags, views) => {
  const conversation = { isArchived: false, isSpam: false, isTrashed: false, snoozedUntil: null, waitingSince: null, ...flags };
  expect(inboxViews.filter((view) => belongsTo({ view, sort: null, q: '' }, conversation))).toEqual(views);
});

test('a search from the inbox looks in all folders but the trash, one from another view in what that shows', () => {
  const spam = { isArchived: false, isSpam: true, isTrashed: false, snoozedUntil: null, waitingSince: null };
  expect(inboxViews.filter((view) => belongsTo({ view, sort: null, q: 'brake' }, spam))).toEqual(['inbox', 'spam']);
  expect(inboxViews.filter((view) => belongsTo({ view, sort: null, q: 'brake' }, { ...spam, isTrashed: true }))).toEqual([
    'trash',
  ]);
});

test.each([
  [{}, false],
  [{ view: 'archived' }, false],
  [{ q: 'brake' }, true],
  [{ agent }, true],
  [{ assignee: 'me' }, true],
  [{ status: 'failed' }, true],
  [{ view: 'waiting', status: 'failed' }, false],
] as const)('whether %j is narrowed down: %s', (changes, answer) => {
  expect(isNarrowed(search(changes))).toBe(answer);
});

test('a list by wait has only what waits', () => {
  const conversation = { isArchived: false, isSpam: false, isTrashed: false, snoozedUntil: null };
  const isListed = (waitingSince: string | null) =>
    belongsTo({ view: 'inbox', sort: 'waiting', q: '' }, { ...conversation, waitingSince });
  expect([isListed(null), isListed('2026-12-01T08:00:00.000Z')]).toEqual([false, true]);
});
