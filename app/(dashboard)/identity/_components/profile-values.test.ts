import { expect, it } from 'vitest';
import type { IdentityRecord } from '@/server/features/addresses/identity-record.schema';
import { profileSchema, toProfileUpdate } from './profile-schema';
import { type ProfileValues, toProfileValues } from './profile-values';

const service = {
  id: '01a1fc52-fbe2-71f9-9460-a88d60ca5234',
  name: 'Consulting',
  price: 49.5,
  currency: 'EUR',
  billingInterval: 'monthly',
  active: true,
} as const;

const values = (profile: Partial<ProfileValues['profile']> = {}): ProfileValues => ({
  displayName: 'Harbor',
  profile: { tagline: '', about: '', website: '', services: [], ...profile },
});

it('turns what is not set into empty fields', () => {
  const identity = { displayName: null, profile: { services: [service] } } as unknown as IdentityRecord;
  expect(toProfileValues(identity)).toEqual({
    displayName: '',
    profile: { tagline: '', about: '', website: '', services: [{ ...service, description: '' }] },
  });
});

it('sends only the parts that changed, and removes what was emptied', () => {
  const typed = values({ about: 'We build boats.', services: [{ ...service, description: '' }] });
  expect(toProfileUpdate(typed, new Set(['displayName']))).toEqual({ displayName: 'Harbor' });
  expect(toProfileUpdate(typed, new Set(['profile.about', 'profile.tagline']))).toEqual({
    profile: { about: 'We build boats.', tagline: null },
  });
  expect(toProfileUpdate(typed, new Set(['profile.services']))).toEqual({
    profile: { services: [{ ...service, description: null }] },
  });
});

it('completes the address of a website', () => {
  expect(toProfileUpdate(values({ website: ' kettlegrain.example ' }), new Set(['profile.website']))).toEqual({
    profile: { website: 'https://kettlegrain.example' },
  });
  expect(profileSchema.safeParse(values({ website: 'ftp://kettlegrain.example' })).success).toBe(false);
});

it('refuses a price that could be two amounts', () => {
  const { error } = profileSchema.safeParse(values({ services: [{ ...service, description: '', price: '1,250' }] }));
  expect(error?.issues.map((issue) => issue.path.join('.'))).toEqual(['profile.services.0.price']);
});

it('reports a missing amount at its field', () => {
  const { error } = profileSchema.safeParse(values({ services: [{ ...service, description: '', price: null }] }));
  expect(error?.issues.map((issue) => [issue.path.join('.'), issue.message])).toEqual([
    ['profile.services.0.price', 'must be a number'],
  ]);
});
