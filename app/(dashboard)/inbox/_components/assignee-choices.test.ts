import { expect, it } from 'vitest';
import { assigneeChoices, assigneeFilters, assigneeValue } from './assignee-choices';

const member = (userId: string | null, displayName: string, email: string) => ({
  ...{ userId, displayName, email, role: 'member' as const },
  ...{ status: userId ? ('active' as const) : ('invited' as const), lastActiveAt: null },
});

const members = [
  member('u1', 'Tom', 'tom@harbor.example'),
  member('u2', '', 'aylin@harbor.example'),
  member('u3', 'Mara', 'mara@harbor.example'),
  member(null, '', 'noor@harbor.example'),
];

const agents = [
  { id: 'a1', name: 'Night shift', avatarEmoji: '🌙', status: 'active' as const },
  { id: 'a2', name: 'Retired', avatarEmoji: '', status: 'archived' as const },
];

it('offers the person first, then the others, active agents, and no assignee', () => {
  expect(assigneeChoices(members, agents, 'u3').map(({ label }) => label)).toEqual([
    'Me',
    'aylin@harbor.example',
    'Tom',
    '🌙 Night shift',
    'Unassigned',
  ]);
});

it('names assignees as the server does', () => {
  expect(assigneeChoices(members, agents, 'u3').map(({ assignee }) => assignee?.name)).toEqual([
    'Mara',
    'aylin',
    'Tom',
    'Night shift',
    undefined,
  ]);
});

it('filters by what the API takes', () => {
  expect(assigneeFilters(assigneeChoices(members, agents, 'u3')).map(({ value }) => value)).toEqual([
    'me',
    'none',
    'u2',
    'u1',
    'a1',
  ]);
});

it('tells a member from an agent', () => {
  expect(assigneeValue({ type: 'agent', id: 'x', name: '' })).not.toBe(assigneeValue({ type: 'member', id: 'x', name: '' }));
  expect(assigneeValue(null)).toBe('none');
});
