import * as z from 'zod';
import { onlyChanged, orNull } from '@/app/_kit/form-values';
import { updateIdentityInput } from '@/server/features/identity/identity.schema';
import type { ProfileValues } from './profile-values';
import { withScheme } from './web-address';

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
export const toProfileUpdate = (values: ProfileValues, changed: ReadonlySet<string>) =>
  onlyChanged(profileSchema.parse(values), changed);
