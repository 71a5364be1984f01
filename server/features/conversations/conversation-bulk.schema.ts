import * as z from 'zod';
import { emailAddress, uuid } from '@/server/platform/fields.schema';
import { changeableFields } from './conversation.schema';

/** What is done with several conversations at once. */

export const updateConversationsInput = z.object({
  ids: z.array(uuid).min(1).max(100).meta({ description: 'Unknown IDs are ignored.' }),
  ...changeableFields,
});

export type UpdateConversationsInput = z.output<typeof updateConversationsInput>;

export const updatedConversationsSchema = z.object({
  success: z.literal(true),
  updated: z.int().meta({ description: 'Number of conversations that were found.' }),
});

export type UpdatedConversations = z.output<typeof updatedConversationsSchema>;

export const restoreConversationsInput = updateConversationsInput.pick({ ids: true });

export type RestoreConversationsInput = z.output<typeof restoreConversationsInput>;

export const restoredConversationsSchema = z.object({
  success: z.literal(true),
  restored: z.int().meta({ description: 'Number of conversations that were in the trash.' }),
});

export type RestoredConversations = z.output<typeof restoredConversationsSchema>;

const chosenFields = {
  ids: z.array(uuid).min(1).max(100).optional().meta({ description: 'Unknown IDs are ignored.' }),
  senderEmail: emailAddress.optional().meta({ description: 'All conversations with this address as their `counterpart`.' }),
  folder: z
    .enum(['spam', 'trash'])
    .optional()
    .meta({ description: '`spam`: moves all spam to the trash. `trash`: permanently deletes everything in it.' }),
  permanent: z.boolean().default(false).meta({ description: 'If true, they are permanently deleted immediately.' }),
};

function isOneChoice({ ids, senderEmail, folder }: { ids?: unknown; senderEmail?: unknown; folder?: unknown }): boolean {
  return [ids, senderEmail, folder].filter((given) => given !== undefined).length === 1;
}

const oneChoice = { error: 'is required, or senderEmail or folder, and only one of them', path: ['ids'] };

export const deleteConversationsInput = z.object(chosenFields).refine(isOneChoice, oneChoice);

/** Of the command line, where a list is separated by commas. */
export const operatorDeleteInput = z
  .object({
    ...chosenFields,
    identity: z.string(),
    ids: z
      .string()
      .transform((text) => text.split(','))
      .pipe(chosenFields.ids.unwrap())
      .optional(),
  })
  .refine(isOneChoice, oneChoice);

export type DeleteConversationsInput = z.output<typeof deleteConversationsInput>;

export const deletedConversationsSchema = z.object({
  success: z.literal(true),
  deleted: z.int().meta({ description: 'Number of deleted conversations.' }),
  hasMore: z.boolean().meta({ description: 'True if there may be more, since a request deletes at most 1,000; repeat it.' }),
});

export type DeletedConversations = z.output<typeof deletedConversationsSchema>;
