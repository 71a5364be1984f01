import { expect, test } from 'vitest';
import type { MemberList } from '@/server/features/team/team.schema';
import { peopleOf } from '../../_components/team/people';
import { personOptions } from './route-people';

const member = (userId: string | null, displayName: string, email: string): MemberList['members'][number] => ({
  ...{ userId, displayName, email, role: 'member', lastActiveAt: null },
  status: userId === null ? 'invited' : 'active',
});

const list = (...members: MemberList['members']): MemberList => ({ members, count: members.length });

test('members are named, by their addresses where that is needed', () => {
  const people = peopleOf(
    list(
      member('1', 'Ann', 'ann@quark.example'),
      member('2', '', 'bob@quark.example'),
      member('3', 'Ann', 'other@quark.example'),
      member(null, '', 'invited@quark.example'),
    ),
  );
  expect([...people]).toEqual([
    ['1', 'Ann (ann@quark.example)'],
    ['2', 'bob@quark.example'],
    ['3', 'Ann (other@quark.example)'],
  ]);
});

test('a step keeps what it has', () => {
  const people = peopleOf(list(member('1', 'Ann', 'ann@quark.example')));
  const noOne = { value: '', label: 'No one in particular' };
  const ann = { value: '1', label: 'Ann' };
  expect(personOptions(people, '')).toEqual([noOne, ann]);
  expect(personOptions(people, '1')).toEqual([noOne, ann]);
  expect(personOptions(people, 'pm-7')).toEqual([noOne, ann, { value: 'pm-7', label: 'Unknown person: pm-7' }]);
  expect(personOptions(null, 'pm-7')).toEqual([noOne, { value: 'pm-7', label: 'pm-7' }]);
});
