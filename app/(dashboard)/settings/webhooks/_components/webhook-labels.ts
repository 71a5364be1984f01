import type { StatusTone } from '@/app/_kit/status-badge';
import { groupLabel, typeLabel } from '../../events/_components/event-labels';
import type { DeliveryDetail, DeliveryRecord, WebhookRecord } from './webhook-types';

interface Health {
  tone: StatusTone;
  label: string;
  /** When it began, if that is known. */
  since: string | null;
  /** Why it is disabled. */
  reason: string | null;
}

const reasons: Record<NonNullable<WebhookRecord['disabledReason']>, string> = {
  failing: 'Disabled because deliveries failed for 5 days.',
  gone: 'Disabled because the receiver answered 410 Gone.',
};

/** Whether a webhook works. */
export function healthOf({
  status,
  disabledReason,
  failingSince,
}: Pick<WebhookRecord, 'status' | 'disabledReason' | 'failingSince'>): Health {
  if (status === 'paused') return { tone: 'neutral', label: 'Paused', since: null, reason: null };
  if (status === 'disabled') {
    return { tone: 'danger', label: 'Disabled', since: null, reason: disabledReason === null ? null : reasons[disabledReason] };
  }
  if (failingSince !== null) return { tone: 'warning', label: 'Failing', since: failingSince, reason: null };
  return { tone: 'success', label: 'Active', since: null, reason: null };
}

/** A pattern in words: "Everything", "All customer events", "Customer created". */
export function patternLabel(pattern: string): string {
  if (pattern === '*') return 'Everything';
  return pattern.endsWith('.*') ? `All ${groupLabel(pattern.slice(0, -2))}` : typeLabel(pattern);
}

/** What a webhook gets, short: "All customer events and 2 more". */
export function eventsSummary(patterns: readonly string[]): string {
  const [first, ...others] = patterns;
  if (first === undefined) return 'Nothing';
  return others.length === 0 ? patternLabel(first) : `${patternLabel(first)} and ${others.length} more`;
}

/** A webhook's name: its description, else its address without the protocol. */
export function webhookName({ description, url }: Pick<WebhookRecord, 'description' | 'url'>): string {
  return description.trim() || url.replace(/^https?:\/\//, '');
}

export const deliveryLabels: Record<DeliveryRecord['status'], { label: string; tone: StatusTone }> = {
  pending: { label: 'Pending', tone: 'info' },
  delivered: { label: 'Delivered', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
};

/** The state of a delivery; one that waits for its next attempt has failed before. */
export function deliveryLabel({ status, attemptCount }: Pick<DeliveryRecord, 'status' | 'attemptCount'>): {
  label: string;
  tone: StatusTone;
} {
  return status === 'pending' && attemptCount > 0 ? { label: 'Retrying', tone: 'warning' } : deliveryLabels[status];
}

export const attemptsLabel = (count: number): string =>
  count === 0 ? 'No attempts yet' : `${count} ${count === 1 ? 'attempt' : 'attempts'}`;

/** What came of an attempt: "HTTP 500", or why there was no answer. */
export function attemptResult({ status, error }: Pick<DeliveryDetail['attempts'][number], 'status' | 'error'>): string {
  return status === null ? (error ?? 'No answer') : `HTTP ${status}`;
}

/** How long something took: "240 ms", "2.4 s". */
export function durationLabel(milliseconds: number): string {
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** How soon to look again for deliveries, in milliseconds: soon while one is about to be sent. */
export function refreshInterval(deliveries: readonly DeliveryRecord[] | undefined, now: number): number | false {
  const next = (deliveries ?? [])
    .filter(({ status }) => status === 'pending')
    .map(({ nextAttemptAt }) => (nextAttemptAt === null ? 0 : Date.parse(nextAttemptAt) - now));
  if (next.length === 0) return false;
  return Math.min(...next) < 10_000 ? 1_500 : 15_000;
}
