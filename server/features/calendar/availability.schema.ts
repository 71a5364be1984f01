import * as z from 'zod';
import { instant, recordId, timestamp, uuid } from '@/server/platform/fields.schema';

/** Input of the availability query. */

export const availabilityInput = z.object({
  startTime: instant,
  endTime: instant,
  excludeEventId: uuid.meta({ description: 'An event to ignore, such as the one being moved.' }).optional(),
});

export type AvailabilityInput = z.output<typeof availabilityInput>;

export const conflictSchema = z
  .object({
    id: recordId,
    title: z.string(),
    startTime: timestamp.meta({ description: 'Of the occurrence.' }),
    endTime: timestamp,
    allDay: z.boolean().meta({ description: 'If true, whole days: the dates of `startTime` and `endTime` in `timezone`.' }),
    timezone: z.string().meta({ description: 'IANA time zone of the event.' }),
  })
  .meta({ id: 'AvailabilityConflict' });

export type Conflict = z.output<typeof conflictSchema>;

/** Maximum conflicts in a response; `hasMore` is set if there are more. */
export const conflictsMaximum = 2500;

export const availabilitySchema = z.object({
  available: z.boolean(),
  conflicts: z.array(conflictSchema).meta({ description: 'Sorted by start; each occurrence is an item.' }),
  hasMore: z.boolean().meta({ description: `True if there are more than ${conflictsMaximum}.` }),
});

export type Availability = z.output<typeof availabilitySchema>;
