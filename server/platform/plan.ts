/** The plans of identities. Source: the specification's "Limits". */
export const plans = ['free', 'solopreneur', 'small_business', 'enterprise'] as const;

export type Plan = (typeof plans)[number];

/** Limits per UTC month; -1 is unlimited. */
export interface MonthlyLimits {
  tokens: number;
  executions: number;
}

/** Other limits; -1 is unlimited. */
export interface Quotas {
  /** Mails queued per UTC day: replies, invitations, reminders, tests. */
  mailsPerDay: number;
  /** Total recipients of those mails. */
  recipientsPerDay: number;
  /** Bytes of mail, attachments, quarantine and pictures. */
  storageBytes: number;
  /** Bytes of mail that one sender may bring in per UTC day. */
  senderBytesPerDay: number;
}

interface PlanTerms {
  /** Shown to people and in `GET /usage/stats`. */
  label: string;
  /** Requests per UTC day and API key; null is unlimited. */
  dailyRequestsPerKey: number | null;
  /** Source: contract section 9; PLAN_LIMITS can override them. */
  monthly: MonthlyLimits;
  /** PLAN_LIMITS can override them. */
  quotas: Quotas;
}

const gigabyte = 1_000_000_000;

export const planTerms: Record<Plan, PlanTerms> = {
  free: {
    label: 'Free',
    dailyRequestsPerKey: 100,
    monthly: { tokens: 100_000, executions: 100 },
    quotas: { mailsPerDay: 200, recipientsPerDay: 500, storageBytes: gigabyte, senderBytesPerDay: gigabyte / 10 },
  },
  solopreneur: {
    label: 'Solopreneur',
    dailyRequestsPerKey: 1_000,
    monthly: { tokens: 2_000_000, executions: 2_000 },
    quotas: { mailsPerDay: 1_000, recipientsPerDay: 2_500, storageBytes: 10 * gigabyte, senderBytesPerDay: gigabyte },
  },
  small_business: {
    label: 'Small Business',
    dailyRequestsPerKey: 10_000,
    monthly: { tokens: 20_000_000, executions: 20_000 },
    quotas: { mailsPerDay: 10_000, recipientsPerDay: 25_000, storageBytes: 100 * gigabyte, senderBytesPerDay: 10 * gigabyte },
  },
  enterprise: {
    label: 'Enterprise',
    dailyRequestsPerKey: null,
    monthly: { tokens: -1, executions: -1 },
    quotas: { mailsPerDay: -1, recipientsPerDay: -1, storageBytes: -1, senderBytesPerDay: 10 * gigabyte },
  },
};
