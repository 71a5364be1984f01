import type { UpdateIdentityInput } from '@/server/features/identity/identity.schema';

/** The business of the demo: a bicycle workshop that also looks after company fleets. */
export const business = {
  handle: 'harbor-lane',
  displayName: 'Harbor Lane Bicycles',
  address: 'hello@harborlane.example',
  ownerEmail: 'mara@harborlane.example',
  whitelist: ['sales=sales@harborlane.example', 'workshop=workshop@harborlane.example'],
} as const;

/** An address that is still to be proven. */
export const pendingAddress = {
  handle: 'events',
  address: 'events@harborlane.example',
  description: 'Rides and workshops for customers',
} as const;

/** Prices in euro, as the workshop's price board has them. */
export const profile: NonNullable<UpdateIdentityInput['profile']> = {
  tagline: 'City bikes, cargo bikes and a workshop that picks up the phone',
  about:
    'We are a workshop of six in the old rope factory at the harbour. Since 2014 we have sold, repaired and looked after bicycles for ' +
    'people who ride every day: commuters, families with cargo bikes, couriers, and some forty companies whose fleets we keep on ' +
    'the road. Repairs booked before ten are usually done the same day; fleets get a fixed day a month and one person who knows every bike.',
  website: 'https://harborlane.example',
  services: [
    {
      name: 'Tune-up',
      description: 'Gears, brakes, bearings and a test ride. Parts extra.',
      price: 69,
      currency: 'EUR',
      billingInterval: 'one-time',
      active: true,
    },
    {
      name: 'Full overhaul',
      description: 'Every part cleaned, checked and set; two working days.',
      price: 189,
      currency: 'EUR',
      billingInterval: 'one-time',
      active: true,
    },
    {
      name: 'Fleet care',
      description: 'One visit a month for up to ten bikes, small parts included.',
      price: 340,
      currency: 'EUR',
      billingInterval: 'monthly',
      active: true,
    },
    {
      name: 'Cargo bike subscription',
      description: 'An electric cargo bike with service, insurance and a replacement while yours is in the workshop.',
      price: 149.5,
      currency: 'EUR',
      billingInterval: 'monthly',
      active: true,
    },
    {
      name: 'Winter storage',
      description: 'Dry, insured, with a tune-up in spring.',
      price: 95,
      currency: 'EUR',
      billingInterval: 'yearly',
      active: false,
    },
  ],
};
