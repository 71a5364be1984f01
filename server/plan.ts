/** The plans an identity can be on. Source: the specification's "Limits". */
export const plans = ['free', 'solopreneur', 'small_business', 'enterprise'] as const;

export type Plan = (typeof plans)[number];

interface PlanTerms {
  /** As shown to people and by `GET /usage/stats`. */
  label: string;
  /** Requests a day and API key, by fixed UTC day; null is unlimited. */
  dailyRequestsPerKey: number | null;
}

export const planTerms: Record<Plan, PlanTerms> = {
  free: { label: 'Free', dailyRequestsPerKey: 100 },
  solopreneur: { label: 'Solopreneur', dailyRequestsPerKey: 1_000 },
  small_business: { label: 'Small Business', dailyRequestsPerKey: 10_000 },
  enterprise: { label: 'Enterprise', dailyRequestsPerKey: null },
};
