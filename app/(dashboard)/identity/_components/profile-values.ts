import type { IdentityRecord, Service } from '@/server/features/identity/identity.schema';

/** An amount, null where nothing is typed, or what is typed where that is not (yet) one certain amount. */
export type PriceValue = number | string | null;

/** A service as the form holds it: with an id from the start, and an amount that may be missing while it is typed. */
export interface ServiceValues extends Omit<Service, 'description' | 'price'> {
  description: string;
  price: PriceValue;
}

/** The profile as the form holds it: texts that are not set are empty. Paths are those of the procedure. */
export interface ProfileValues {
  displayName: string;
  profile: {
    tagline: string;
    about: string;
    website: string;
    services: ServiceValues[];
  };
}

/** What is saved on its own, and what it is called. */
export const profilePartNames = {
  displayName: 'Display name',
  'profile.tagline': 'Tagline',
  'profile.about': 'About',
  'profile.website': 'Website',
  'profile.services': 'Services',
} as const;

export type ProfilePart = keyof typeof profilePartNames;

const toServiceValues = (service: Service): ServiceValues => ({
  id: service.id,
  name: service.name,
  description: service.description ?? '',
  price: service.price,
  currency: service.currency,
  billingInterval: service.billingInterval,
  active: service.active,
});

/** The stored profile as form values. */
export function toProfileValues({ displayName, profile }: IdentityRecord): ProfileValues {
  return {
    displayName: displayName ?? '',
    profile: {
      tagline: profile?.tagline ?? '',
      about: profile?.about ?? '',
      website: profile?.website ?? '',
      services: profile?.services?.map(toServiceValues) ?? [],
    },
  };
}
