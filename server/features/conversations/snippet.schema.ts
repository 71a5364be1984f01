import * as z from 'zod';
import { emailAddress, recordId, requiredText, revision, text, timestamp, uuid } from '@/server/platform/fields.schema';
import { attachmentIds, oneLine, uploadSchema } from './message.schema';
import { snippetProblem, snippetVariables } from './snippet-text';

/** Characters of a text: all are answered together. */
const textMaximum = 5_000;

export const snippetSchema = z
  .object({
    id: recordId,
    identityId: recordId,
    name: z.string(),
    text: z.string(),
    attachments: z.array(uploadSchema),
    revision,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Snippet' });

export type Snippet = z.output<typeof snippetSchema>;

export const snippetListSchema = z.object({ snippets: z.array(snippetSchema), total: z.int() });

export type SnippetList = z.output<typeof snippetListSchema>;

const snippetText = text(textMaximum)
  .superRefine((value, context) => {
    const problem = value.trim() === '' ? 'must not be empty' : snippetProblem(value);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  })
  .meta({
    description: `Plain text. Variables are written as \`{{customer.firstName|there}}\`, with what is written where there is no value: ${snippetVariables.map((name) => `\`${name}\``).join(', ')}.`,
    examples: ['Hello {{customer.firstName|there}},\n\nthank you for your order.'],
  });

const fields = {
  name: requiredText(100).meta({ description: 'Unique, ignoring case.', examples: ['Thanks for the order'] }),
  text: snippetText,
  attachmentIds: attachmentIds.meta({ description: 'Files of `POST /attachments`, which are sent along.' }),
};

export const createSnippetInput = z.object({ ...fields, attachmentIds: fields.attachmentIds.default([]) });

export type CreateSnippetInput = z.output<typeof createSnippetInput>;

export const snippetIdInput = z.object({ snippetId: uuid });

export const updateSnippetInput = z.object(fields).partial().extend({ snippetId: uuid });

export type UpdateSnippetInput = z.output<typeof updateSnippetInput>;

export const fillSnippetInput = snippetIdInput.extend({
  email: emailAddress.optional().meta({ description: 'Whom the email is for.' }),
  displayName: oneLine(200).nullable().optional().meta({ description: 'Their name, where no customer has this address.' }),
});

export type FillSnippetInput = z.output<typeof fillSnippetInput>;

export const filledSnippetSchema = z.object({
  text: z.string(),
  missing: z.array(z.enum(snippetVariables)).meta({ description: 'Variables without a value, for which nothing is written.' }),
  attachments: z.array(uploadSchema),
});

export type FilledSnippet = z.output<typeof filledSnippetSchema>;
