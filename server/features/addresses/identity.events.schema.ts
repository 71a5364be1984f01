import { eventKind } from '@/server/features/events/event-kind.schema';
import { identitySchema } from './identity-record.schema';

export const identityEvents = eventKind({
  object: 'identity',
  schema: identitySchema,
  path: () => '/identity',
  access: { scope: 'identity:read' },
  types: {
    'identity.updated': 'The name, profile, addresses or plan of the business changed.',
  },
  example: {
    id: '0199f3b2-5a00-7c11-8f2e-3b1d9a7c6e50',
    handle: 'harbor-lane',
    address: 'desk@harborlane.example',
    scope: 'business',
    displayName: 'Harbor Lane Lamps',
    profile: { tagline: 'Lamps, mended and made', website: 'https://harborlane.example' },
    whitelistedAddresses: [{ handle: 'sales', address: 'sales@harborlane.example', description: null, status: 'proven' }],
    createdAt: '2026-11-21T09:30:00.000Z',
    revision: 3,
    updatedAt: '2026-11-22T08:00:00.000Z',
  },
});
