import * as z from 'zod';
import {
  nextCursor,
  paging,
  recordId,
  requiredText,
  revision,
  text,
  timestamp,
  uuid,
  webAddress,
} from '@/server/platform/fields.schema';
import { personaLimits } from './agent.limits';
import { escalationRouteSchema } from './escalation.schema';

export const agentStatuses = ['active', 'paused', 'archived'] as const;

export type AgentStatus = (typeof agentStatuses)[number];

/** The fields of an agent that the API may change, as listed in `editableFields`. Source: contract section 5. */
export const editableFields = [
  'name',
  'status',
  'avatarUrl',
  'tags',
  'persona.tone',
  'persona.bio',
  'persona.signature',
  'persona.traits',
  'persona.avatarUrl',
  'persona.avatarEmoji',
] as const;

/** An agent's writing style; keys that were never set or were removed are missing. */
export const personaSchema = z
  .object({
    tone: z.string().optional(),
    traits: z.array(z.string()).optional(),
    bio: z.string().optional(),
    signature: z.string().optional(),
    avatarUrl: z.string().optional(),
    avatarEmoji: z.string().optional(),
  })
  .meta({ id: 'AgentPersona' });

export type Persona = z.output<typeof personaSchema>;

/** An agent's configuration apart from its persona and routes; read-only over the API. */
export const agentSetupSchema = z.object({
  tools: z.object({ email: z.object({ enabled: z.boolean() }), calendar: z.object({ enabled: z.boolean() }) }),
  context: z.object({ enabled: z.boolean(), namespace: z.string() }),
  workflow: z.object({ triggers: z.array(z.string()), mode: z.enum(['auto', 'draft', 'observe']) }),
  model: z.object({ provider: z.string(), name: z.string(), temperature: z.number(), maxTokens: z.int() }),
});

export type AgentSetup = z.output<typeof agentSetupSchema>;

const agentFields = {
  id: recordId,
  name: z.string(),
  kind: z.string(),
  roleId: z.string().meta({ description: 'The local part of its email address; unique within the identity.' }),
  email: z.string(),
  status: z.enum(agentStatuses),
  avatarUrl: z.string(),
};

const agentTimes = { createdAt: timestamp, updatedAt: timestamp.nullable() };

export const agentSchema = z
  .object({
    ...agentFields,
    avatarEmoji: z.string().meta({ description: 'Shown instead of a picture; empty if the persona has none.' }),
    activeTasks: z.int(),
    lastActiveAt: timestamp.nullable(),
    ...agentTimes,
  })
  .meta({ id: 'Agent' });

export type AgentRecord = z.output<typeof agentSchema>;

export const agentStatsSchema = z.object({
  activeTasks: z.int(),
  completedTasks: z.int(),
  hoursSaved: z.number().meta({ description: '15 minutes for each completed task, unless its execution says `minutesSaved`.' }),
  completionRate: z.number().meta({ description: 'Share of ended tasks that were completed, 0 to 1; 0 if none has ended.' }),
  escalations: z.int(),
  totalActions: z.int().meta({ description: 'Tracked executions.' }),
  lastActiveAt: timestamp.nullable(),
});

export type AgentStats = z.output<typeof agentStatsSchema>;

export const agentDetailSchema = z
  .object({
    ...agentFields,
    tags: z.array(z.string()),
    config: z.object({
      persona: personaSchema,
      ...agentSetupSchema.shape,
      hitl: z.object({
        enabled: z.boolean().meta({ description: 'True if routes are configured.' }),
        routes: z.array(escalationRouteSchema),
      }),
    }),
    stats: agentStatsSchema,
    editableFields: z.array(z.string()),
    revision,
    ...agentTimes,
  })
  .meta({ id: 'AgentDetail' });

export type AgentDetail = z.output<typeof agentDetailSchema>;

const wildcard = z.string().max(200);

export const listAgentsInput = z.object({
  ...paging({ defaultLimit: 100, maximumLimit: 100 }),
  query: wildcard
    .meta({
      description:
        'Searches name, kind and roleId, ignoring case. With `*` (any characters) or `?` (one character), the whole field must match; otherwise a part of it.',
      examples: ['inbox-*'],
    })
    .optional(),
  q: wildcard.meta({ description: 'Short for `query`, which takes precedence.' }).optional(),
  status: z.enum(agentStatuses).optional(),
  kind: wildcard.meta({ description: 'The exact kind, ignoring case, or with `*` and `?`.' }).optional(),
});

export type ListAgentsInput = z.output<typeof listAgentsInput>;

export const agentListSchema = z.object({
  agents: z.array(agentSchema),
  count: z.int().meta({ description: 'Number of records on this page.' }),
  total: z.int().meta({ description: 'How many match.' }),
  pagination: z.object({ limit: z.int(), offset: z.int(), hasMore: z.boolean(), nextCursor }),
  filters: z
    .object({ query: z.string().optional(), status: z.enum(agentStatuses).optional(), kind: z.string().optional() })
    .meta({ description: 'The applied filters.' }),
});

export type AgentList = z.output<typeof agentListSchema>;

export const agentIdInput = z.object({ agentId: uuid });

const tags = z.array(requiredText(100)).max(100);

const personaInput = z.object({
  tone: text(personaLimits.tone).nullable().optional(),
  traits: z.array(requiredText(personaLimits.trait)).max(personaLimits.traits).nullable().optional(),
  bio: text(personaLimits.bio).nullable().optional(),
  signature: text(personaLimits.signature).nullable().optional(),
  avatarUrl: webAddress.nullable().optional(),
  avatarEmoji: text(personaLimits.avatarEmoji).nullable().optional(),
});

export type PersonaInput = z.output<typeof personaInput>;

const agentName = requiredText(200);

export const updateAgentInput = agentIdInput.extend({
  name: agentName.optional(),
  status: z.enum(agentStatuses).optional(),
  avatarUrl: z.union([z.literal(''), webAddress]).optional(),
  tags: tags.optional(),
  persona: personaInput.optional().meta({ description: 'Merged key by key; null removes a key.' }),
});

export type UpdateAgentInput = z.output<typeof updateAgentInput>;

const kebabCase = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

const kebab = z
  .string()
  .min(1)
  .max(63)
  .regex(kebabCase, { error: 'must be lower-case letters, digits and single hyphens, such as inbox-manager' });

export const createAgentInput = z.object({
  name: agentName,
  roleId: kebab,
  kind: kebab.default('assistant'),
});

export type CreateAgentInput = z.output<typeof createAgentInput>;
