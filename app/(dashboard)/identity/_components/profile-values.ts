import type { IdentityRecord, Service } from '@/server/features/addresses/identity-record.schema';

/** An amount, null if nothing is typed, or the typed text if it is not one unambiguous amount. */
export type PriceValue = number | string | null;

/** A service as form values: it has an id from the start, and its amount may be incomplete. */
export interface ServiceValues extends Omit<Service, 'description' | 'price'> {
  description: string;
  price: PriceValue;
}

/** The profile as form values: unset texts are empty. Paths match the procedure. */
export interface ProfileValues {
  displayName: string;
  profile: {
    tagline: string;
    about: string;
    website: string;
    services: ServiceValues[];
  };
}

/** The parts that are saved separately, with their labels. */
export const profilePartNames = {
  displayName: 'Display name',
  'profile.tagline': 'Tagline',
  'profile.about': 'About',
  'profile.website': 'Website',
  'profile.services': 'Services',
} as const;

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
