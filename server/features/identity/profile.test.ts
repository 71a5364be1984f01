import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Profile, profileSchema, type Service } from '../addresses/identity-record.schema';
import { billingIntervals } from './identity.limits';
import { profileInputSchema } from './identity.schema';
import { writeProfile } from './profile';

const consulting: Service = {
  id: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50',
  name: 'Consulting',
  description: 'By the hour',
  price: 120,
  currency: 'EUR',
  billingInterval: 'one-time',
  active: false,
};

const stored: Profile = { tagline: 'We care', about: 'Since 1999', website: 'https://quark.example', services: [consulting] };

function written(input: unknown, semantics: 'replace' | 'merge' = 'replace', before: Profile | null = stored): Profile {
  const result = writeProfile(before, profileInputSchema.parse(input), semantics);
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.profile;
}

function problems(input: unknown, before: Profile | null = stored): Record<string, string> {
  const result = writeProfile(before, profileInputSchema.parse(input), 'replace');
  return 'problems' in result ? result.problems : {};
}

describe('replacing', () => {
  test('the four fields become exactly what was sent', () => {
    expect(written({ tagline: 'New' })).toEqual({ tagline: 'New' });
    expect(written({})).toEqual({});
    expect(written({ services: [] })).toEqual({ services: [] });
  });

  test.each(['tagline', 'about', 'website', 'services'])('%s sent as null is removed', (field) => {
    expect(written({ ...stored, [field]: null })).not.toHaveProperty(field);
    expect(Object.keys(written({ ...stored, [field]: null }))).toHaveLength(3);
  });

  test('an empty text is a text and stays', () => {
    expect(written({ tagline: '' })).toEqual({ tagline: '' });
  });
});

describe('merging (RFC 7396)', () => {
  test('left-out fields stay, null removes', () => {
    expect(written({ tagline: 'New', about: null }, 'merge')).toEqual({
      tagline: 'New',
      website: stored.website,
      services: [consulting],
    });
    expect(written({}, 'merge')).toEqual(stored);
  });

  test('a list is replaced whole', () => {
    expect(written({ services: [] }, 'merge').services).toEqual([]);
  });

  test('what is stored is not changed in place', () => {
    const before = structuredClone(stored);
    written({ tagline: null, services: [{ id: consulting.id, name: 'Other' }] }, 'merge', before);
    expect(before).toEqual(stored);
  });
});

describe('services', () => {
  const offer = { name: 'Workshop', price: 900, currency: 'USD', billingInterval: 'monthly' };

  test('one without an id gets one of its own, and is active', () => {
    const [first, second] = written({ services: [offer, offer] }).services ?? [];
    expect(first).toEqual({ ...offer, id: expect.any(String), active: true });
    expect(profileSchema.parse({ services: [first, second] })).toBeTruthy();
    expect(first?.id).not.toBe(second?.id);
  });

  test('one with the id of a stored one keeps what it does not send', () => {
    expect(written({ services: [{ id: consulting.id, price: 150 }] }).services).toEqual([{ ...consulting, price: 150 }]);
    expect(written({ services: [{ id: consulting.id.toUpperCase() }] }).services).toEqual([consulting]);
    expect(written({ services: [{ id: consulting.id, description: null }] }).services?.[0]).not.toHaveProperty('description');
  });

  test('those not sent are gone, and the order is the sender’s', () => {
    const both = written({ services: [offer, { id: consulting.id }] }).services ?? [];
    expect(both.map((service) => service.name)).toEqual(['Workshop', 'Consulting']);
    expect(written({ services: [offer] }, 'merge').services?.map((service) => service.name)).toEqual(['Workshop']);
  });

  test('one with an id nobody knows is a new one of that id', () => {
    const id = '0199f3b2-0000-7000-8000-000000000000';
    expect(written({ services: [{ ...offer, id }] }).services).toEqual([{ ...offer, id, active: true }]);
    expect(problems({ services: [{ id, price: 1 }] })).toEqual({
      'profile.services.0.name': 'is required',
      'profile.services.0.currency': 'is required',
      'profile.services.0.billingInterval': 'is required',
    });
  });

  test('every problem of every service is named at once', () => {
    expect(
      Object.keys(problems({ services: [offer, {}, { id: consulting.id }, { id: consulting.id.toUpperCase() }] })).sort(),
    ).toEqual([
      'profile.services.1.billingInterval',
      'profile.services.1.currency',
      'profile.services.1.name',
      'profile.services.1.price',
      'profile.services.3.id',
    ]);
  });
});

describe('writing back', () => {
  const service = fc.record<Service>(
    {
      id: fc.uuid(),
      name: fc.string({ minLength: 1, maxLength: 20 }).filter((name) => name.trim() !== ''),
      description: fc.string({ maxLength: 20 }),
      price: fc.double({ min: 0, max: 1e6, noNaN: true }),
      currency: fc.constantFrom('EUR', 'usd'),
      billingInterval: fc.constantFrom(...billingIntervals),
      active: fc.boolean(),
    },
    { requiredKeys: ['id', 'name', 'price', 'currency', 'billingInterval', 'active'] },
  );
  const profile = fc.record<Profile>(
    {
      tagline: fc.string({ maxLength: 300 }),
      about: fc.string({ maxLength: 1000 }),
      website: fc.webUrl(),
      services: fc.uniqueArray(service, { selector: ({ id }) => id, maxLength: 5 }),
    },
    { requiredKeys: [] },
  );

  test.each(['replace', 'merge'] as const)('with %s, what was read changes nothing', (semantics) => {
    fc.assert(
      fc.property(profile, (before) => {
        expect(written(before, semantics, before)).toEqual(before);
      }),
    );
  });

  test('whatever is written is a profile that can be read', () => {
    fc.assert(
      fc.property(profile, profile, fc.constantFrom('replace' as const, 'merge' as const), (before, input, semantics) => {
        const after = written(input, semantics, before);
        expect(profileSchema.parse(after)).toEqual(after);
        expect(written(input, semantics, after)).toEqual(after);
      }),
    );
  });
});
