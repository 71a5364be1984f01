import { describe, expect, test } from 'vitest';
import type { TeamMember } from '@/server/features/team/team.schema';
import { canChangeRole, canManage, isLastOwner, memberName, rolesToGive } from './team-rules';

function member(role: TeamMember['role'], changes: Partial<TeamMember> = {}): TeamMember {
  return {
    userId: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50',
    displayName: '',
    email: 'ann@quark.example',
    role,
    status: 'active',
    lastActiveAt: null,
    joinedAt: '2026-11-25T09:00:00.000Z',
    hasTwoFactor: false,
    photoUrl: null,
    isSelf: false,
    ...changes,
  };
}

test('a member without a name goes by the address', () => {
  expect(memberName(member('viewer'))).toBe('ann@quark.example');
  expect(memberName(member('viewer', { displayName: 'Ann' }))).toBe('Ann');
});

test('owners give every role, admins all but theirs, others none', () => {
  expect(rolesToGive('owner')).toEqual(['owner', 'admin', 'member', 'viewer']);
  expect(rolesToGive('admin')).toEqual(['admin', 'member', 'viewer']);
  expect(rolesToGive('member')).toEqual([]);
  expect(canManage('admin', 'owner')).toBe(false);
  expect(canManage('admin', 'admin')).toBe(true);
});

describe('whose role can be changed', () => {
  const owner = member('owner', { isSelf: true });
  const viewer = member('viewer');

  test('not that of the last owner', () => {
    expect(isLastOwner({ members: [owner, viewer] }, owner)).toBe(true);
    expect(canChangeRole({ members: [owner, viewer] }, 'owner', owner)).toBe(false);
    expect(canChangeRole({ members: [owner, member('owner')] }, 'owner', owner)).toBe(true);
  });

  test('an admin changes others, not owners and not their own', () => {
    const team = { members: [owner, member('owner'), viewer] };
    expect(canChangeRole(team, 'admin', viewer)).toBe(true);
    expect(canChangeRole(team, 'admin', member('owner'))).toBe(false);
    expect(canChangeRole(team, 'admin', member('admin', { isSelf: true }))).toBe(false);
    expect(canChangeRole(team, 'member', viewer)).toBe(false);
  });
});
