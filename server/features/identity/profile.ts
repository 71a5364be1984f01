import { v7 as uuidv7 } from 'uuid';
import type { FieldErrors } from '@/server/platform/errors';
import type { Profile, Service } from '../addresses/identity-record.schema';
import type { ProfileInput, ServiceInput } from './identity.schema';

/** Pure rules for changes of a profile (specification "PATCH rules", contract section 4). */

type PatchSemantics = 'replace' | 'merge';

type ProfileResult = { profile: Profile } | { problems: FieldErrors };

const requiredOfNewService = ['name', 'price', 'currency', 'billingInterval'] as const;

/** The service after applying `input` to `stored`, or a new one without `stored`. */
function writeService(input: ServiceInput, stored: Service | undefined, field: string, problems: FieldErrors): Service {
  for (const key of requiredOfNewService) {
    if (input[key] === undefined && stored === undefined) problems[`${field}.${key}`] = 'is required';
  }
  const description = input.description === undefined ? stored?.description : input.description;
  return {
    id: input.id?.toLowerCase() ?? uuidv7(),
    name: input.name ?? stored?.name ?? '',
    ...(description === null || description === undefined ? {} : { description }),
    price: input.price ?? stored?.price ?? 0,
    currency: input.currency ?? stored?.currency ?? '',
    billingInterval: input.billingInterval ?? stored?.billingInterval ?? 'one-time',
    active: input.active ?? stored?.active ?? true,
  };
}

function writeServices(inputs: ServiceInput[], stored: Service[], problems: FieldErrors): Service[] {
  const byId = new Map(stored.map((service) => [service.id, service]));
  const seen = new Set<string>();
  return inputs.map((input, index) => {
    const field = `profile.services.${index}`;
    const id = input.id?.toLowerCase();
    if (id !== undefined && seen.has(id)) problems[`${field}.id`] = 'is given more than once';
    if (id !== undefined) seen.add(id);
    return writeService(input, id === undefined ? undefined : byId.get(id), field, problems);
  });
}

/**
 * The profile after a PATCH with `input`.
 *
 * With `replace`, a field that is null or missing is removed. With `merge` (RFC 7396), a missing field stays. `services`
 * replaces the list in both; an item with the id of a stored service keeps its missing fields.
 *
 * @returns the new profile, or the errors by field
 */
export function writeProfile(stored: Profile | null, input: ProfileInput, semantics: PatchSemantics): ProfileResult {
  const problems: FieldErrors = {};
  const profile: Profile = semantics === 'merge' ? { ...stored } : {};
  for (const field of ['tagline', 'about', 'website'] as const) {
    const value = input[field];
    if (value === null) delete profile[field];
    else if (value !== undefined) profile[field] = value;
  }
  if (input.services === null) delete profile.services;
  else if (input.services !== undefined) profile.services = writeServices(input.services, stored?.services ?? [], problems);
  return Object.keys(problems).length > 0 ? { problems } : { profile };
}
