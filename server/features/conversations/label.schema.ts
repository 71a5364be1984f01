import * as z from 'zod';
import { recordId, requiredText, revision, timestamp, uuid } from '@/server/platform/fields.schema';
import { labelColors, labelsMaximum } from './label.limits';

const color = z.enum(labelColors).meta({ description: 'Of the dot beside its name in the dashboard.' });

export const labelSchema = z
  .object({
    id: recordId,
    identityId: recordId,
    name: z.string(),
    color,
    revision,
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'Label' });

export type Label = z.output<typeof labelSchema>;

/** A label as conversations show it. */
export const shownLabelSchema = z.object({ id: recordId, name: z.string(), color }).meta({ id: 'ConversationLabel' });

export type ShownLabel = z.output<typeof shownLabelSchema>;

export const labelListSchema = z.object({ labels: z.array(labelSchema).max(labelsMaximum), total: z.int() });

export type LabelList = z.output<typeof labelListSchema>;

const name = requiredText(50).meta({ description: 'Unique, ignoring case.', examples: ['Warranty'] });

export const createLabelInput = z.object({ name, color: color.default('gray') });

export type CreateLabelInput = z.output<typeof createLabelInput>;

export const labelIdInput = z.object({ labelId: uuid });

export const updateLabelInput = labelIdInput.extend({ name: name.optional(), color: color.optional() });

export type UpdateLabelInput = z.output<typeof updateLabelInput>;
