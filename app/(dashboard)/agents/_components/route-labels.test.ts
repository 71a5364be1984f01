import { describe, expect, test } from 'vitest';
import { type EscalationStep, escalationTimeline } from '@/server/features/agents/escalation';
import type { EscalationRoute } from '@/server/features/agents/escalation.schema';
import {
  channelsText,
  emptyEmailHint,
  formatMinutes,
  levelName,
  listText,
  missingChannelsText,
  personHint,
  targetsOf,
  unreachableReason,
  waitHint,
} from './route-labels';

const owner = 'owner@quark.example';

const route = (
  changes: Partial<EscalationRoute> = {},
  contacts: Partial<EscalationRoute['contactInfo']> = {},
): EscalationRoute => ({
  level: 1,
  timeoutMins: 60,
  toRole: null,
  toUserId: null,
  channels: ['email'],
  ...changes,
  contactInfo: { email: null, phone: null, slack: null, ...contacts },
});

test.each([
  [0, '0 min'],
  [15, '15 min'],
  [60, '1 h'],
  [75, '1 h 15 min'],
  [1440, '1 day'],
  [2880, '2 days'],
  [1441, '1 day 1 min'],
  [10_080 + 61, '7 days 1 h 1 min'],
])('%d minutes are %j', (minutes, expected) => {
  expect(formatMinutes(minutes)).toBe(expected);
});

test.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b and c'],
])('%j in words is %j', (parts, expected) => {
  expect(listText(parts)).toBe(expected);
});

test('the timeline of the issue', () => {
  const routes = [
    route({ level: 1, label: 'Ann', timeoutMins: 15 }, { email: 'ann@quark.example' }),
    route({ level: 2, label: 'Bob', timeoutMins: 30, channels: ['sms'] }, { phone: '+4940555012' }),
  ];
  const words = ({ atMinutes, route: fired, reach }: EscalationStep) =>
    fired
      ? `${formatMinutes(atMinutes)} ${levelName(fired.level, fired.label)} ${channelsText(reach)}`
      : `${formatMinutes(atMinutes)} owner`;
  expect(escalationTimeline(routes, owner).map(words).join(' → ')).toBe('0 min Ann by email → 15 min Bob by SMS → 45 min owner');
});

describe('who is reached', () => {
  const reachOfOnly = (given: EscalationRoute) => escalationTimeline([given], owner)[0]?.reach ?? [];

  test('the owner is named where he stands in', () => {
    expect(channelsText(reachOfOnly(route()))).toBe('by email to the owner');
    expect(targetsOf(route(), reachOfOnly(route()))).toBe(owner);
  });

  test('every channel has its words', () => {
    const all = route(
      { channels: ['email', 'sms', 'slack', 'in_app'], toUserId: 'ann' },
      { phone: '+4940555012', slack: '#desk' },
    );
    expect(channelsText(reachOfOnly(all))).toBe('by email, by SMS, on Slack and in the dashboard');
    expect(targetsOf(all, reachOfOnly(all))).toBe('user ann, +4940555012, #desk, in the dashboard');
    expect(targetsOf(all, reachOfOnly(all), new Map([['ann', 'Ann Quark']]))).toMatch(/^Ann Quark, /);
    expect(targetsOf(all, reachOfOnly(all), new Map())).toMatch(/^an unknown person, /);
  });

  test.each([
    [route(), null],
    [route({ channels: [] }), 'Choose at least one channel.'],
    [route({ channels: ['sms'] }), 'No one is notified: enter a phone number.'],
    [route({ channels: ['slack', 'sms'] }), 'No one is notified: enter a Slack contact and a phone number.'],
    [route({ channels: ['sms', 'in_app'] }), null],
  ])('names the missing contact: case %#', (given, expected) => {
    expect(unreachableReason(given, owner)).toBe(expected);
  });
});

test('hints at the fields', () => {
  expect(emptyEmailHint(route({}, { email: 'ann@quark.example' }), owner)).toBe('Defaults to owner@quark.example.');
  expect(emptyEmailHint(route({ toUserId: 'ann', channels: [] }), owner)).toBe('Defaults to user ann.');
  expect(emptyEmailHint(route({ toUserId: 'ann' }), owner, new Map([['ann', 'Ann']]))).toBe('Defaults to Ann.');
});

test('a person who is not in the team is not notified', () => {
  const people = new Map([['ann', 'Ann']]);
  expect(personHint(route({ toUserId: 'pm-7' }), people)).toMatch(/no one will be notified/);
  for (const [toUserId, known] of [
    [null, people],
    ['ann', people],
    ['pm-7', null],
  ] as const)
    expect(personHint(route({ toUserId }), known)).toBeUndefined();
  expect(waitHint(45, false)).toBe('Then the next step.');
  expect(waitHint(90, true)).toBe('1 h 30 min. Then the owner.');
});

test('names a step without a label by its number', () => {
  expect(levelName(3, ' ')).toBe('Step 3');
  expect(levelName(3, ' Ann ')).toBe('Ann');
});

test('channels that send nothing are named, with what is missing', () => {
  expect(missingChannelsText(['sms', 'slack'])).toBe('SMS and Slack aren’t set up, so nothing is sent by them.');
  expect(missingChannelsText(['email', 'sms', 'slack'])).toBe(
    'Email, SMS and Slack aren’t set up, so nothing is sent by them. For email, an administrator sets SMTP_URL.',
  );
});
