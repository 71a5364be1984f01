import * as z from 'zod';
import { recordId, requiredText, timestamp, uuid } from '@/server/platform/fields.schema';

const usageTypes = ['token_usage', 'agent_execution'] as const;

/** Maximum records of one batch (contract section 9). */
const batchMaximum = 100;

/** A reference to the reporter's own data: not looked up, so that metering never drops records. */
const reference = requiredText(255);
const tokens = z.int().min(0);
const jsonObject = z.record(z.string(), z.unknown());

const recordFields = {
  type: z.enum(usageTypes),
  eventId: reference
    .meta({ description: 'Your own ID of this record. Reporting it again counts once and returns the first ID.' })
    .optional(),
  promptTokens: tokens.optional(),
  completionTokens: tokens.optional(),
  totalTokens: tokens.meta({ description: 'The sum of the other two; can be given instead of them.' }).optional(),
  model: reference.optional(),
  provider: reference.optional(),
  usageType: reference.optional(),
  operation: reference.optional(),
  agentId: reference.optional(),
  conversationId: reference.optional(),
  taskId: reference.optional(),
  messageId: reference.optional(),
  status: reference
    .meta({
      description:
        '`completed`, `failed`, `cancelled`, `escalated` or a common synonym; anything else means in progress. With a `taskId`, the latest execution determines the task’s status.',
    })
    .optional(),
  result: jsonObject.optional(),
  metadata: jsonObject
    .meta({
      description: '`minutesSaved`, here or in `result`: the work that a completed execution saved; 15 by default.',
    })
    .optional(),
};

type RecordFields = z.output<z.ZodObject<typeof recordFields>>;

/** The missing fields of a record of its type. Source: contract section 9. */
function requirements(record: RecordFields): Record<string, string> {
  if (record.type === 'agent_execution') {
    return {
      ...(record.agentId === undefined ? { agentId: 'is required' } : {}),
      ...(record.status === undefined ? { status: 'is required' } : {}),
    };
  }
  const { promptTokens, completionTokens, totalTokens } = record;
  if (promptTokens !== undefined && completionTokens !== undefined) {
    const sum = promptTokens + completionTokens;
    if (!Number.isSafeInteger(sum)) return { completionTokens: 'makes a sum too large to count' };
    if (totalTokens !== undefined && totalTokens !== sum) {
      return { totalTokens: 'must be the sum of promptTokens and completionTokens' };
    }
    return {};
  }
  return totalTokens === undefined ? { totalTokens: 'is required unless promptTokens and completionTokens are given' } : {};
}

export const trackInput = z
  .object(recordFields)
  .superRefine((record, context) => {
    for (const [field, message] of Object.entries(requirements(record))) {
      context.addIssue({ code: 'custom', path: [field], message });
    }
  })
  .meta({
    id: 'UsageRecord',
    examples: [
      {
        type: 'token_usage',
        promptTokens: 812,
        completionTokens: 164,
        model: 'sonnet',
        operation: 'reply',
        eventId: 'call-8127',
      },
    ],
  });

export type TrackInput = z.output<typeof trackInput>;

export const trackedSchema = z.object({ success: z.literal(true), id: recordId, createdAt: timestamp });

export type Tracked = z.output<typeof trackedSchema>;

/**
 * Accepted unchecked at first: an invalid record must not fail the whole batch, and an identity in it must be checked. The
 * record's own schema beside it is for the document; the service validates each record with it.
 */
const unvalidated = z.unknown().meta({ description: 'Anything that isn’t a usage record is reported as an error in `results`.' });

export const trackBatchInput = z.object({
  records: z
    .array(z.union([unvalidated, trackInput]))
    .min(1)
    .max(batchMaximum)
    .meta({ description: 'Each is validated separately: invalid ones are reported in `results`, the others are recorded.' }),
});

export type TrackBatchInput = z.output<typeof trackBatchInput>;

export const trackedBatchSchema = z.object({
  success: z.boolean().meta({ description: 'True if all records were accepted.' }),
  results: z.array(z.object({ index: z.int(), id: recordId.optional(), error: z.string().optional() })),
});

export type TrackedBatch = z.output<typeof trackedBatchSchema>;

const meterSchema = z.object({
  current: z.number(),
  limit: z.int().meta({ description: '-1 means unlimited.' }),
  percentage: z.number().meta({ description: 'Percentage of the limit, with one decimal; over 100 if exceeded.' }),
  formatted: z.string(),
});

export type Meter = z.output<typeof meterSchema>;

export const usageStatsSchema = z
  .object({
    tokenUsage: meterSchema,
    executions: meterSchema,
    plan: z.string(),
    period: z.object({ start: timestamp, end: timestamp }).meta({ description: 'The month in UTC; `end` is exclusive.' }),
  })
  .meta({
    id: 'UsageStatistics',
    examples: [
      {
        tokenUsage: { current: 1234, limit: 100000, percentage: 1.2, formatted: '1,234 / 100,000' },
        executions: { current: 7, limit: 100, percentage: 7, formatted: '7 / 100' },
        plan: 'Free',
        period: { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' },
      },
    ],
  });

export type UsageStats = z.output<typeof usageStatsSchema>;

export const consumptionSchema = z.object({ tokens: z.number(), executions: z.number() });

/** Usage of one entry: display name and amount. */
const shareSchema = consumptionSchema.extend({ name: z.string(), agentId: recordId.nullable() });

/** Days of the chart on the usage page, including today. */
export const chartDays = 30;

/** Maximum entries of a breakdown; the others are summed up as the rest. */
export const sharesMaximum = 8;

const breakdownSchema = z.object({ shares: z.array(shareSchema), rest: consumptionSchema.nullable() });

/** Use of a quota; a limit of -1 means unlimited. */
const quotaSchema = z.object({ current: z.number(), limit: z.number() });

/** The dashboard's usage page. Breakdowns and days cover the same `chartDays`. */
export const usageOverviewSchema = z.object({
  stats: usageStatsSchema,
  projection: consumptionSchema,
  /** Mail and recipients of this UTC day; storage in bytes. */
  quotas: z.object({ mails: quotaSchema, recipients: quotaSchema, storage: quotaSchema }),
  days: z.array(consumptionSchema.extend({ day: z.iso.date() })),
  byAgent: breakdownSchema,
  byModel: breakdownSchema,
  byOperation: breakdownSchema,
  keys: z.array(
    z.object({
      id: recordId,
      name: z.string(),
      prefix: z.string(),
      last4: z.string(),
      requestsToday: z.int().nullable(),
      dailyLimit: z.int().nullable(),
      lastUsedAt: timestamp.nullable(),
    }),
  ),
});

export type UsageOverview = z.output<typeof usageOverviewSchema>;

export const listExecutionsInput = z.object({ agentId: reference, before: uuid.optional() });

export type ListExecutionsInput = z.output<typeof listExecutionsInput>;

export const executionOutcomes = ['active', 'completed', 'failed', 'cancelled', 'escalated'] as const;

/** Tracked executions of one agent, newest first. */
export const executionListSchema = z.object({
  executions: z.array(
    z.object({
      id: recordId,
      status: z.string(),
      outcome: z.enum(executionOutcomes),
      operation: z.string().nullable(),
      taskId: z.string().nullable(),
      conversationId: z.string().nullable(),
      createdAt: timestamp,
    }),
  ),
  /** `before` of the next, older page; null on the last one. */
  next: recordId.nullable(),
});

export type ExecutionList = z.output<typeof executionListSchema>;
