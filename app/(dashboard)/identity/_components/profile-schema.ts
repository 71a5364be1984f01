import * as z from 'zod';
import { updateIdentityInput } from '@/server/features/identity/identity.schema';
import type { ProfilePart, ProfileValues } from './profile-values';
import { withScheme } from './web-address';

/** An emptied text is removed instead of being stored empty. */
const orNull = (text: string) => (text.trim() === '' ? null : text);

function toInput({ displayName, profile }: ProfileValues): z.input<typeof updateIdentityInput> {
  const { tagline, about, website, services } = profile;
  return {
    displayName: orNull(displayName),
    profile: {
      tagline: orNull(tagline),
      about: orNull(about),
      website: orNull(withScheme(website.trim())),
      services: services.map((service) => ({
        ...service,
        description: orNull(service.description),
        price: typeof service.price === 'number' ? service.price : Number.NaN,
      })),
    },
  };
}

/** The procedure's rules, applied to the form's values. */
export const profileSchema = z.custom<ProfileValues>().transform(toInput).pipe(updateIdentityInput);

/** A request with only the changed parts; omitted ones stay unchanged. */
export function toProfileUpdate(values: ProfileValues, changed: ReadonlySet<ProfilePart>) {
  const { displayName, profile } = profileSchema.parse(values);
  const fields = (['tagline', 'about', 'website', 'services'] as const).filter((field) => changed.has(`profile.${field}`));
  return {
    ...(changed.has('displayName') ? { displayName } : {}),
    ...(fields.length > 0 ? { profile: Object.fromEntries(fields.map((field) => [field, profile?.[field]])) } : {}),
  };
}
