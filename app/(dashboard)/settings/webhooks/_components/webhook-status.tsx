import { RelativeTime } from '@/app/_kit/relative-time';
import { StatusBadge } from '@/app/_kit/status-badge';
import { healthOf } from './webhook-labels';
import type { WebhookRecord } from './webhook-types';

/** Whether a webhook works; for how long it has not, if it fails. */
export function WebhookStatus({ webhook }: { webhook: WebhookRecord }) {
  const { tone, label, since, reason } = healthOf(webhook);
  return (
    <span title={reason ?? undefined}>
      <StatusBadge tone={tone}>
        {label}
        {since !== null && (
          <>
            {' '}
            since&nbsp;
            <RelativeTime value={since} />
          </>
        )}
      </StatusBadge>
    </span>
  );
}
