import { env } from '@/server/platform/env';
import { type MonthlyLimits, type Plan, planTerms, type Quotas } from '@/server/platform/plan';

/** Monthly limits of a plan (UTC), with the operator's PLAN_LIMITS overriding the product's defaults. */
export function monthlyLimitsOf(plan: Plan): MonthlyLimits {
  const { monthly } = planTerms[plan];
  const { tokens = monthly.tokens, executions = monthly.executions } = env().PLAN_LIMITS?.[plan] ?? {};
  return { tokens, executions };
}

/** Mail and storage quotas of a plan, with the operator's PLAN_LIMITS overriding the product's defaults. */
export function quotasOf(plan: Plan): Quotas {
  const { quotas } = planTerms[plan];
  const {
    mailsPerDay = quotas.mailsPerDay,
    recipientsPerDay = quotas.recipientsPerDay,
    storageBytes = quotas.storageBytes,
    senderBytesPerDay = quotas.senderBytesPerDay,
  } = env().PLAN_LIMITS?.[plan] ?? {};
  return { mailsPerDay, recipientsPerDay, storageBytes, senderBytesPerDay };
}
