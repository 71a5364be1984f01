import * as z from 'zod';
import { emailAddress, text, timestamp, uuid } from '@/server/platform/fields.schema';
import { eventLimits } from './calendar.limits';

/** Invitees of an event and their responses. */

export const inviteeResponses = ['needs_action', 'accepted', 'declined', 'tentative'] as const;

export type InviteeResponse = (typeof inviteeResponses)[number];

/** Responses an invitee can give. */
export const answers = ['accepted', 'declined', 'tentative'] as const;

export type Answer = (typeof answers)[number];

export const inviteeInput = z
  .object({
    email: emailAddress,
    name: text(eventLimits.inviteeName).optional(),
    displayName: text(eventLimits.inviteeName)
      .optional()
      .meta({ description: 'Another name of `name`, as customers’ contacts have it. Where both are given, they are the same.' }),
    isOptional: z.boolean().default(false),
  })
  .refine(({ name, displayName }) => name === undefined || displayName === undefined || name === displayName, {
    error: 'must be the same as name, or be left out',
    path: ['displayName'],
  })
  .meta({ id: 'InviteeInput' })
  .transform(({ displayName, name = displayName ?? '', ...invitee }) => ({ ...invitee, name }));

export const inviteeSchema = z
  .object({
    id: uuid,
    email: z.string(),
    name: z.string(),
    responseStatus: z.enum(inviteeResponses),
    isOrganizer: z.boolean().meta({ description: 'True for the identity’s own address.' }),
    isOptional: z.boolean(),
    invitedAt: timestamp.nullable().meta({ description: 'When they were first mailed an invitation.' }),
    answeredAt: timestamp.nullable(),
    answeredBy: z
      .enum(['mail', 'link', 'api'])
      .nullable()
      .meta({ description: 'How the answer came: by a calendar’s mail, the personal link, or this API.' }),
    answerVerified: z.boolean().nullable().meta({
      description:
        'False for an answer by mail, whose sender may be forged; null before the first answer, and for mail of earlier versions.',
    }),
  })
  .meta({ id: 'Invitee' });

export type InviteeRecord = z.output<typeof inviteeSchema>;
