import * as z from 'zod';
import { eventKind } from '@/server/features/events/event-kind.schema';
import { timestamp } from '@/server/platform/fields.schema';

/** Figures of a plan that are counted by month. */
export const figures = ['tokens', 'executions'] as const;

/** Those and storage, which is not counted by month. */
const limitedFigures = [...figures, 'storage'] as const;

/** Per cent of a figure at which an event is written, once a month each. */
export const thresholds = [80, 100] as const;

export const usageThresholdSchema = z.object({
  figure: z.enum(limitedFigures).meta({ description: '`storage` is in bytes.' }),
  threshold: z.literal(thresholds).meta({
    description: 'In per cent of the limit. Storage counts as 100 when less than 1 per cent is free, at most 25 MB.',
  }),
  current: z.number().meta({ description: 'What was used when it was noticed.' }),
  limit: z.int(),
  percentage: z.number(),
  plan: z.string(),
  period: z
    .object({ start: timestamp, end: timestamp })
    .meta({ description: 'The month in UTC; `end` is exclusive. For storage, the month in which it was noticed.' }),
});

export type UsageThreshold = z.output<typeof usageThresholdSchema>;

export const usageEvents = eventKind({
  object: 'usage',
  schema: usageThresholdSchema,
  path: () => '/usage/stats',
  access: { scope: 'usage:read' },
  types: {
    'usage.threshold_reached':
      'Usage of the current UTC month, or storage, reached 80% or 100% of the plan’s limit. The object’s ID looks like `tokens-2026-11-80`.',
  },
  example: {
    figure: 'tokens',
    threshold: 80,
    current: 80_250,
    limit: 100_000,
    percentage: 80.3,
    plan: 'Free',
    period: { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
  },
});
