import * as z from 'zod';
import { nextCursor, paging, recordId, text, timestamp, uuid } from '@/server/platform/fields.schema';

/** Notes of one conversation at most. */
export const notesMaximum = 1_000;

const textMaximum = 10_000;
const mentionsMaximum = 20;

export const noteSchema = z
  .object({
    id: recordId,
    conversationId: recordId,
    identityId: recordId,
    text: z.string(),
    author: z.object({
      type: z.enum(['user', 'agent', 'api_key']),
      id: recordId,
      name: z.string().nullable().meta({ description: 'Null if the account was deleted.' }),
    }),
    mentions: z.array(z.object({ userId: recordId, name: z.string().nullable() })).meta({ description: 'Mentioned members.' }),
    createdAt: timestamp,
  })
  .meta({ id: 'Note' });

export type NoteRecord = z.output<typeof noteSchema>;

export const listNotesInput = z.object({
  conversationId: uuid,
  ...paging({ defaultLimit: 50, maximumLimit: 100 }),
});

export type ListNotesInput = z.output<typeof listNotesInput>;

export const noteListSchema = z.object({
  notes: z.array(noteSchema),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
  hasMore: z.boolean(),
  nextCursor,
});

export type NoteList = z.output<typeof noteListSchema>;

export const addNoteInput = z.object({
  conversationId: uuid,
  text: text(textMaximum)
    .refine((value) => value.trim() !== '', { error: 'must not be empty' })
    .meta({ description: 'Plain text. Visible to colleagues and agents only; never part of an email.' }),
  mentions: z
    .array(uuid)
    .max(mentionsMaximum)
    .default([])
    .meta({ description: 'IDs of members to notify, from `GET /identity/members`.' }),
});

export type AddNoteInput = z.input<typeof addNoteInput>;
export type ParsedAddNoteInput = z.output<typeof addNoteInput>;
