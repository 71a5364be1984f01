import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EscalationRoute, escalationChannels, updateEscalationInput } from '@/server/features/agents/escalation.schema';
import {
  inOrder,
  newRoute,
  nextLevel,
  type RouteValues,
  restoredLevel,
  routesSchema,
  toDraftRoute,
  toRoutesInput,
  toRoutesValues,
  withChannel,
} from './route-values';

const stored: EscalationRoute[] = [
  {
    level: 1,
    label: 'Ann',
    instructions: 'Call back\nat once',
    timeoutMins: 15,
    toRole: 'support',
    toUserId: 'ann',
    channels: ['sms', 'email'],
    contactInfo: { email: 'ann@quark.example', phone: '+4940555012', slack: null },
  },
  {
    level: 7,
    timeoutMins: 60,
    toRole: null,
    toUserId: null,
    channels: [],
    contactInfo: { email: null, phone: null, slack: '#desk' },
  },
];

const typed = (...changes: Partial<RouteValues>[]) => ({
  routes: changes.map((change, index) => ({ ...newRoute([]), level: index, ...change })),
});

/** Validation messages, by path. */
function reasons(...changes: Partial<RouteValues>[]): Record<string, string> {
  const { error } = routesSchema.safeParse(typed(...changes));
  return Object.fromEntries(error?.issues.map((issue) => [issue.path.join('.'), issue.message]) ?? []);
}

describe('routes as form values', () => {
  test('what is stored comes back unchanged', () => {
    expect(toRoutesInput(toRoutesValues(stored))).toEqual(stored);
  });

  test('blank texts are not sent', () => {
    const [route] = toRoutesInput(
      typed({ label: ' ', instructions: '\n', toRole: '', toUserId: ' ', contactInfo: { email: ' ', phone: '', slack: '' } }),
    );
    expect(route).toEqual({
      level: 0,
      timeoutMins: 60,
      toRole: null,
      toUserId: null,
      channels: ['email'],
      contactInfo: { email: null, phone: null, slack: null },
    });
  });

  test('a new level can be saved as it is', () => {
    const routes = toRoutesInput({ routes: [newRoute([])] });
    expect(updateEscalationInput.shape.routes.safeParse(routes).success).toBe(true);
    expect(reasons({})).toEqual({});
  });
});

describe('what is wrong is said at the field', () => {
  test.each(['', 'soon', '0', '1.5', '10081'])('%j minutes', (timeoutMins) => {
    expect(reasons({ timeoutMins })).toHaveProperty(['routes.0.timeoutMins']);
  });

  test('a malformed part of one route does not hide what another lacks', () => {
    const contactInfo = { email: '', phone: '040 555', slack: '' };
    expect(reasons({ channels: ['sms'], contactInfo }, { channels: ['slack', 'sms'] })).toEqual({
      'routes.0.contactInfo.phone': 'must be a number in E.164, such as +4940555012',
      'routes.1.contactInfo.slack': 'is required for the channel slack',
      'routes.1.contactInfo.phone': 'is required for the channel sms',
    });
  });

  test('a level that is used twice', () => {
    expect(reasons({ level: 3 }, { level: 3 })).toEqual({ 'routes.1.level': 'is used twice: 3' });
  });
});

test.each([
  ['', 0],
  ['-5', 0],
  ['1e9', 0],
  ['7', 7],
  ['7.9', 7],
])('%j minutes count as %d in the timeline while they are typed', (timeoutMins, expected) => {
  expect(toDraftRoute({ ...newRoute([]), timeoutMins }).timeoutMins).toBe(expected);
});

describe('level numbers', () => {
  const levels = fc.uniqueArray(fc.nat({ max: 2_147_483_647 }), { maxLength: 9 });

  test.each([
    [[], 1],
    [[0], 1],
    [[10, 30, 20], 31],
    [[2_147_483_647], 2_147_483_646],
    [[2_147_483_646, 2_147_483_647], 2_147_483_645],
  ])('after %j comes %d', (present, expected) => {
    expect(nextLevel(present)).toBe(expected);
  });

  test('a new number is free and allowed', () => {
    fc.assert(
      fc.property(levels, (present) => {
        const level = nextLevel(present);
        expect(present).not.toContain(level);
        expect(updateEscalationInput.shape.routes.safeParse([{ level }]).success).toBe(true);
      }),
    );
  });

  test('sorting gives out the same numbers, the lowest first', () => {
    expect(inOrder([30, 10, 9])).toEqual([9, 10, 30]);
  });

  test('a level that comes back has its own number, unless that was given away', () => {
    expect(restoredLevel(2, [1, 3])).toBe(2);
    expect(restoredLevel(2, [1, 2])).toBe(3);
  });
});

test('channels are switched without changing the order of the others', () => {
  expect(withChannel(['sms', 'email'], 'slack', true)).toEqual(['sms', 'email', 'slack']);
  expect(withChannel(['sms', 'email'], 'sms', false)).toEqual(['email']);
  for (const channel of escalationChannels) expect(withChannel(withChannel([], channel, true), channel, true)).toEqual([channel]);
});
