import { env } from '@/server/platform/env';
import { type MonthlyLimits, type Plan, planTerms, type Quotas } from '@/server/platform/plan';

/** What a plan includes each UTC month, with the operator's PLAN_LIMITS in place of the product's own numbers. */
export function monthlyLimitsOf(plan: Plan): MonthlyLimits {
  const { monthly } = planTerms[plan];
  const { tokens = monthly.tokens, executions = monthly.executions } = env().PLAN_LIMITS?.[plan] ?? {};
  return { tokens, executions };
}

/** How much mail and storage a plan includes, with the operator's PLAN_LIMITS in place of the product's own numbers. */
export function quotasOf(plan: Plan): Quotas {
  const { quotas } = planTerms[plan];
  const {
    mailsPerDay = quotas.mailsPerDay,
    recipientsPerDay = quotas.recipientsPerDay,
    storageBytes = quotas.storageBytes,
  } = env().PLAN_LIMITS?.[plan] ?? {};
  return { mailsPerDay, recipientsPerDay, storageBytes };
}
