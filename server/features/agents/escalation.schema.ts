import * as z from 'zod';
import { emailAddress, recordId, requiredText, revision, text, timestamp, uuid } from '@/server/platform/fields.schema';

/** Channels for reaching a person. Source: the specification's "HITL route". */
export const escalationChannels = ['email', 'sms', 'slack', 'in_app'] as const;

export type EscalationChannel = (typeof escalationChannels)[number];

/** Routes per agent (specification, "Limits"). */
export const routesMaximum = 10;

/** Minutes a level waits for a response before the next one is tried (contract section 5). */
export const timeoutBounds = { minimum: 1, maximum: 10_080, default: 60 } as const;

const contactInfoSchema = z.object({
  email: z.string().nullable(),
  phone: z.string().nullable(),
  slack: z.string().nullable(),
});

export const escalationRouteSchema = z
  .object({
    level: z.int(),
    label: z.string().optional(),
    instructions: z.string().optional(),
    timeoutMins: z.int(),
    toRole: z.string().nullable(),
    toUserId: z.string().nullable(),
    channels: z.array(z.enum(escalationChannels)),
    contactInfo: contactInfoSchema,
  })
  .meta({ id: 'HitlRoute' });

/** A route as stored and shown: complete, with null for unknown values. */
export type EscalationRoute = z.output<typeof escalationRouteSchema>;

/** A phone number in ITU-T E.164. */
const phone = z.string().regex(/^\+[1-9]\d{1,14}$/, { error: 'must be a number in E.164, such as +4940555012' });

/** A channel, a user, or Slack's id of either. */
const slack = z.string().regex(/^(?:[#@][a-z0-9][a-z0-9._-]{0,79}|[CDGUW][A-Z0-9]{2,20})$/i, {
  error: 'must be #channel, @user or an id such as C024BE91L',
});

const contactInfoInput = z.object({
  email: emailAddress.nullable().default(null),
  phone: phone.nullable().default(null),
  slack: slack.nullable().default(null),
});

export const escalationRouteInput = z.object({
  level: z.int().min(0).max(2_147_483_647),
  label: text(200).optional(),
  instructions: text(4000).optional(),
  timeoutMins: z.int().min(timeoutBounds.minimum).max(timeoutBounds.maximum).default(timeoutBounds.default),
  toRole: requiredText(100).nullable().default(null),
  toUserId: requiredText(255).nullable().default(null),
  channels: z.array(z.enum(escalationChannels)).max(escalationChannels.length).default(['email']),
  contactInfo: contactInfoInput.default({ email: null, phone: null, slack: null }),
});

export type EscalationRouteInput = z.output<typeof escalationRouteInput>;

export const updateEscalationInput = z.object({
  agentId: uuid,
  routes: z
    .array(escalationRouteInput)
    .max(routesMaximum)
    .optional()
    .meta({ description: 'Replaces all routes; `[]` removes them.' }),
});

export type UpdateEscalationInput = z.output<typeof updateEscalationInput>;

export const escalationSchema = z
  .object({
    agentId: recordId,
    identityId: recordId,
    ownerEmail: z.string().meta({ description: 'Contacted if there are no routes, or a route has no email address.' }),
    routes: z.array(escalationRouteSchema),
    revision,
    updatedAt: timestamp,
  })
  .meta({ id: 'HitlConfiguration' });

/** An agent's escalation: its routes by level, and its identity's owner. */
export type Escalation = z.output<typeof escalationSchema>;
