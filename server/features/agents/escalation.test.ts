import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { byLevel, escalationTimeline, reachOf, routeProblems, usesOwnerFallback } from './escalation';
import { type EscalationRoute, escalationChannels, routesMaximum, timeoutBounds } from './escalation.schema';

const owner = 'owner@quark.example';

const route = (
  changes: Partial<EscalationRoute> = {},
  contacts: Partial<EscalationRoute['contactInfo']> = {},
): EscalationRoute => ({
  level: 0,
  timeoutMins: 60,
  toRole: null,
  toUserId: null,
  channels: ['email'],
  ...changes,
  contactInfo: { email: null, phone: null, slack: null, ...contacts },
});

/** Any route whose fields have the right types, valid or not. */
const anyRoute: fc.Arbitrary<EscalationRoute> = fc.record({
  level: fc.nat({ max: 12 }),
  timeoutMins: fc.integer({ min: timeoutBounds.minimum, max: timeoutBounds.maximum }),
  toRole: fc.constant(null),
  toUserId: fc.constantFrom(null, 'ann'),
  channels: fc.array(fc.constantFrom(...escalationChannels), { maxLength: escalationChannels.length }),
  contactInfo: fc.record({
    email: fc.constantFrom(null, 'ann@quark.example', 'bob@quark.example'),
    phone: fc.constantFrom(null, '+4940555012'),
    slack: fc.constantFrom(null, '#desk', '@ann'),
  }),
});

const anyRoutes = fc.array(anyRoute, { maxLength: routesMaximum });

/** Routes with distinct levels, as they can be stored. */
const distinctRoutes = fc.uniqueArray(anyRoute, { selector: ({ level }) => level, maxLength: routesMaximum });

const withShuffled = distinctRoutes.chain((routes) =>
  fc.tuple(fc.constant(routes), fc.shuffledSubarray(routes, { minLength: routes.length, maxLength: routes.length })),
);

describe('which routes are sound', () => {
  test('none is', () => {
    expect(routeProblems([])).toEqual([]);
  });

  test.each([
    ['e-mail needs nothing: the owner stands in', route()],
    ['in_app needs nothing', route({ channels: ['in_app'] })],
    ['no channel at all', route({ channels: [] })],
    ['sms with a phone', route({ channels: ['sms'] }, { phone: '+4940555012' })],
    ['slack with a contact', route({ channels: ['slack'] }, { slack: '#desk' })],
  ])('%s', (_, sound) => {
    expect(routeProblems([sound])).toEqual([]);
  });

  test('sms without a phone and slack without a contact are refused, each at its field', () => {
    const elsewhere = { email: 'ann@quark.example' };
    expect(routeProblems([route(), route({ level: 1, channels: ['sms', 'slack'] }, elsewhere)])).toEqual([
      { index: 1, field: 'contactInfo.phone', message: 'is required for the channel sms' },
      { index: 1, field: 'contactInfo.slack', message: 'is required for the channel slack' },
    ]);
  });

  test('neither makes up for the other', () => {
    expect(routeProblems([route({ channels: ['sms'] }, { slack: '#desk' })])).toHaveLength(1);
    expect(routeProblems([route({ channels: ['slack'] }, { phone: '+4940555012' })])).toHaveLength(1);
  });

  test('a level that is used twice is refused where it comes again', () => {
    expect(routeProblems([route({ level: 2 }), route({ level: 1 }), route({ level: 2 }), route({ level: 2 })])).toEqual([
      { index: 2, field: 'level', message: 'is used twice: 2' },
      { index: 3, field: 'level', message: 'is used twice: 2' },
    ]);
  });

  test('a channel that is given twice is refused at its place, and needs its contact only once', () => {
    expect(routeProblems([route({ channels: ['email', 'sms', 'sms'] })])).toEqual([
      { index: 0, field: 'channels.2', message: 'is given twice: sms' },
      { index: 0, field: 'contactInfo.phone', message: 'is required for the channel sms' },
    ]);
  });

  test('every problem names a route that is there and a field that it has', () => {
    fc.assert(
      fc.property(anyRoutes, (routes) => {
        for (const { index, field, message } of routeProblems(routes)) {
          const value = field.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], routes[index]);
          expect(value).not.toBeUndefined();
          expect(message).not.toBe('');
        }
      }),
    );
  });

  test('as many levels are refused as are repetitions', () => {
    fc.assert(
      fc.property(anyRoutes, (routes) => {
        const repeated = routeProblems(routes).filter(({ field }) => field === 'level');
        expect(repeated).toHaveLength(routes.length - new Set(routes.map(({ level }) => level)).size);
      }),
    );
  });
});

describe('in which order they are tried', () => {
  test('by level, lowest first', () => {
    expect(byLevel([{ level: 10 }, { level: 9 }, { level: 0 }])).toEqual([{ level: 0 }, { level: 9 }, { level: 10 }]);
  });

  test('with the same ones as before, and without touching what was given', () => {
    fc.assert(
      fc.property(distinctRoutes, (routes) => {
        const before = structuredClone(routes);
        const sorted = byLevel(routes);
        expect(routes).toEqual(before);
        expect(new Set(sorted)).toEqual(new Set(routes));
        expect(sorted.map(({ level }) => level)).toEqual(routes.map(({ level }) => level).toSorted((a, b) => a - b));
      }),
    );
  });
});

describe('who is reached', () => {
  test.each([
    ['its own address', route({ toUserId: 'ann' }, { email: 'bob@quark.example' }), 'bob@quark.example', 'contact'],
    ['else its user', route({ toUserId: 'ann' }), null, 'user'],
    ['else the owner', route(), owner, 'owner'],
  ])('by e-mail: %s', (_, given, target, via) => {
    expect(reachOf(given, owner)).toEqual([{ channel: 'email', target, via }]);
  });

  test('in the order of the channels, leaving out those without a contact', () => {
    expect(reachOf(route({ channels: ['in_app', 'slack', 'sms'] }, { phone: '+4940555012' }), owner)).toEqual([
      { channel: 'in_app', target: null, via: 'dashboard' },
      { channel: 'sms', target: '+4940555012', via: 'contact' },
    ]);
  });

  test('once on each channel, however often it is given', () => {
    expect(reachOf(route({ channels: ['email', 'in_app', 'email'] }), owner).map(({ channel }) => channel)).toEqual([
      'email',
      'in_app',
    ]);
  });

  test('no target is invented, and no channel is used that was not chosen', () => {
    fc.assert(
      fc.property(anyRoute, (given) => {
        const { email, phone, slack } = given.contactInfo;
        const own = { email, sms: phone, slack, in_app: null };
        for (const { channel, target, via } of reachOf(given, owner)) {
          expect(given.channels).toContain(channel);
          expect(target).toBe(via === 'owner' ? owner : own[channel]);
          if (via === 'owner') expect([channel, email, given.toUserId]).toEqual(['email', null, null]);
          if (via === 'user') expect([channel, email, given.toUserId]).toEqual(['email', null, 'ann']);
          if (via === 'contact') expect(target).not.toBeNull();
          expect(via === 'dashboard').toBe(channel === 'in_app');
        }
      }),
    );
  });

  test('a sound route reaches somebody on each of its channels', () => {
    fc.assert(
      fc.property(anyRoute, (given) => {
        fc.pre(routeProblems([given]).length === 0);
        expect(reachOf(given, owner).map(({ channel }) => channel)).toEqual(given.channels);
      }),
    );
  });
});

describe('when they are reached', () => {
  test('the timeline of the issue', () => {
    const ann = route({ level: 1, label: 'Ann', timeoutMins: 15 }, { email: 'ann@quark.example' });
    const bob = route({ level: 2, label: 'Bob', timeoutMins: 30, channels: ['sms'] }, { phone: '+4940555012' });
    expect(escalationTimeline([bob, ann], owner)).toEqual([
      { atMinutes: 0, route: ann, reach: [{ channel: 'email', target: 'ann@quark.example', via: 'contact' }] },
      { atMinutes: 15, route: bob, reach: [{ channel: 'sms', target: '+4940555012', via: 'contact' }] },
      { atMinutes: 45, route: null, reach: [{ channel: 'email', target: owner, via: 'owner' }] },
    ]);
  });

  test('without routes the owner is asked at once', () => {
    expect(escalationTimeline([], owner)).toEqual([
      { atMinutes: 0, route: null, reach: [{ channel: 'email', target: owner, via: 'owner' }] },
    ]);
  });

  test('times are the running sum of what the levels before have waited, and end with the owner', () => {
    fc.assert(
      fc.property(distinctRoutes, (routes) => {
        const steps = escalationTimeline(routes, owner);
        expect(steps.map((step) => step.route)).toEqual([...byLevel(routes), null]);
        let sum = 0;
        for (const { atMinutes, route: fired } of steps) {
          expect(atMinutes).toBe(sum);
          sum += fired?.timeoutMins ?? 0;
        }
        expect(steps.at(-1)?.reach).toEqual([{ channel: 'email', target: owner, via: 'owner' }]);
      }),
    );
  });

  test('no step comes before another', () => {
    fc.assert(
      fc.property(distinctRoutes, (routes) => {
        const times = escalationTimeline(routes, owner).map(({ atMinutes }) => atMinutes);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
      }),
    );
  });

  test('the order in which routes are given does not matter', () => {
    fc.assert(
      fc.property(withShuffled, ([routes, shuffled]) => {
        expect(escalationTimeline(shuffled, owner)).toEqual(escalationTimeline(routes, owner));
        expect(usesOwnerFallback(shuffled)).toBe(usesOwnerFallback(routes));
      }),
    );
  });
});

describe('where the owner stands in', () => {
  test.each([
    ['there are no routes', [], true],
    ['a route mails without an address', [route({}, { email: 'ann@quark.example' }), route({ level: 1 })], true],
    ['every route has an address', [route({}, { email: 'ann@quark.example' })], false],
    ['a user is mailed', [route({ toUserId: 'ann' })], false],
    ['nothing is mailed', [route({ channels: ['in_app'] }), route({ level: 1, channels: [] })], false],
  ])('%s: %j', (_, routes, expected) => {
    expect(usesOwnerFallback(routes)).toBe(expected);
  });
});
