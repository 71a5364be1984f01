import * as z from 'zod';
import { emailAddress, recordId, text, timestamp } from '@/server/platform/fields.schema';
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
      .meta({ description: 'An alias of `name`. If both are given, they must be equal.' }),
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
    id: recordId,
    email: z.string(),
    name: z.string(),
    responseStatus: z.enum(inviteeResponses),
    isOrganizer: z.boolean().meta({ description: 'True for the identity’s own address.' }),
    isOptional: z.boolean(),
    invitedAt: timestamp.nullable().meta({ description: 'When the first invitation was emailed.' }),
    answeredAt: timestamp.nullable(),
    answeredBy: z
      .enum(['mail', 'link', 'api'])
      .nullable()
      .meta({ description: 'How they responded: by email from their calendar, with their personal link, or with this API.' }),
    answerVerified: z.boolean().nullable().meta({
      description:
        'False for a response by email, whose sender can be forged. Null before the first response, and for emails received by earlier versions.',
    }),
  })
  .meta({ id: 'Invitee' });

export type InviteeRecord = z.output<typeof inviteeSchema>;
