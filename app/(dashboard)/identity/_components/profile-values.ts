import * as z from 'zod';
import { type IdentityRecord, type Service, updateIdentityInput } from '@/server/modules/identity/identity.schema';

/** A service as the form holds it: with an id from the start, and an amount that may be missing while it is typed. */
export interface ServiceValues extends Omit<Service, 'description' | 'price'> {
  description: string;
  price: number | null;
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

/** An emptied text is removed, not stored as an empty one. */
const orNull = (text: string) => (text.trim() === '' ? null : text);

function toInput({ displayName, profile }: ProfileValues): z.input<typeof updateIdentityInput> {
  const { tagline, about, website, services } = profile;
  return {
    displayName: orNull(displayName),
    profile: {
      tagline: orNull(tagline),
      about: orNull(about),
      website: orNull(website.trim()),
      services: services.map((service) => ({
        ...service,
        description: orNull(service.description),
        price: service.price ?? Number.NaN,
      })),
    },
  };
}

/** The procedure's own rules for what the form holds. */
export const profileSchema = z.custom<ProfileValues>().transform(toInput).pipe(updateIdentityInput);

/** The call that saves only the parts that changed; what it leaves out stays as it is. */
export function toProfileUpdate(values: ProfileValues, changed: ReadonlySet<ProfilePart>) {
  const { displayName, profile } = profileSchema.parse(values);
  const fields = (['tagline', 'about', 'website', 'services'] as const).filter((field) => changed.has(`profile.${field}`));
  return {
    ...(changed.has('displayName') ? { displayName } : {}),
    ...(fields.length > 0 ? { profile: Object.fromEntries(fields.map((field) => [field, profile?.[field]])) } : {}),
  };
}
