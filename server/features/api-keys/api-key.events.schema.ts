import { eventKind } from '@/server/features/events/event-kind.schema';
import { apiKeySchema } from './api-key.schema';

export const apiKeyEvents = eventKind({
  object: 'api_key',
  schema: apiKeySchema,
  // Keys are managed in the dashboard only, and are never too large for an event.
  path: () => '/identity',
  // No operation shows keys to a key; the audit log does.
  access: { scope: 'audit:read', notForAgents: true },
  types: {
    'api_key.created': 'An API key was created, or replaced another one.',
    'api_key.rotated': 'An API key was replaced. It works until `expiresAt`, or was revoked immediately.',
    'api_key.revoked': 'An API key was revoked.',
  },
  example: {
    id: '0199f3b2-8e31-7d26-9b5c-6f7a8b9c0d12',
    name: 'Website',
    prefix: 'sk_live_4fQz',
    last4: 'x7Qa',
    createdAt: '2026-11-21T09:30:00.000Z',
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    scopes: ['customers:read'],
    agentId: null,
    agent: null,
  },
});
