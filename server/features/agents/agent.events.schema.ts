import { eventKind } from '@/server/features/events/event-kind.schema';
import { agentDetailSchema, editableFields } from './agent.schema';
import { escalationSchema } from './escalation.schema';

const agentId = '0199f3b2-7d20-7b15-8c4a-5e6f7a8b9c01';
const route = {
  level: 1,
  timeoutMins: 60,
  toRole: null,
  toUserId: null,
  channels: ['email' as const],
  contactInfo: { email: 'lead@harborlane.example', phone: null, slack: null },
};

export const agentEvents = eventKind({
  object: 'agent',
  schema: agentDetailSchema,
  path: (id) => `/identity/agents/${id}`,
  access: { scope: 'agents:read' },
  types: {
    'agent.created': 'An agent was created, or copied from another one.',
    'agent.updated':
      'An agent, its persona, status or escalation routes changed. Not sent for changed statistics, nor if the address only follows the ' +
      'one of the business (see identity.updated).',
  },
  example: {
    id: agentId,
    name: 'Night shift',
    kind: 'assistant',
    roleId: 'night-shift',
    email: 'night-shift@harborlane.example',
    status: 'active',
    avatarUrl: '',
    tags: [],
    config: {
      persona: { tone: 'Friendly and to the point', traits: ['helpful'], bio: '', signature: 'Best regards\nNight shift' },
      tools: { email: { enabled: true }, calendar: { enabled: false } },
      context: { enabled: true, namespace: 'night-shift' },
      workflow: { triggers: ['email.received'], mode: 'draft' },
      model: { provider: 'anthropic', name: 'claude-sonnet', temperature: 0.3, maxTokens: 2048 },
      hitl: { enabled: true, routes: [route] },
    },
    stats: {
      activeTasks: 0,
      completedTasks: 0,
      hoursSaved: 0,
      completionRate: 0,
      escalations: 0,
      totalActions: 0,
      lastActiveAt: null,
    },
    editableFields: [...editableFields],
    revision: 1,
    createdAt: '2026-11-21T09:30:00.000Z',
    updatedAt: null,
  },
});

export const hitlEvents = eventKind({
  object: 'hitl',
  schema: escalationSchema,
  path: (id) => `/identity/agents/${id}/hitl`,
  access: { scope: 'agents:read' },
  types: { 'agent.hitl.updated': 'The escalation routes of an agent were replaced. The id of the object is that of the agent.' },
  example: {
    agentId,
    identityId: '0199f3b2-5a00-7c11-8f2e-3b1d9a7c6e50',
    ownerEmail: 'owner@harborlane.example',
    routes: [route],
    revision: 2,
    updatedAt: '2026-11-21T09:30:00.000Z',
  },
});
