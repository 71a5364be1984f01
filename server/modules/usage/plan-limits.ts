import { env } from '@/server/env';
import { type MonthlyLimits, type Plan, planTerms } from '@/server/plan';

/** What a plan includes each UTC month, with the operator's PLAN_LIMITS in place of the product's own numbers. */
export function monthlyLimitsOf(plan: Plan): MonthlyLimits {
  return { ...planTerms[plan].monthly, ...env().PLAN_LIMITS?.[plan] };
}
