import { StatusBadge } from '@/app/_kit/status-badge';
import type { OutboxMailRecord } from '@/server/features/mail/mail.schema';
import { stateLabels } from './outbox-labels';

/** The state of an email. */
export function MailState({ mail }: { mail: Pick<OutboxMailRecord, 'state'> }) {
  const { label, tone, icon: Icon } = stateLabels[mail.state];
  return (
    <StatusBadge tone={tone}>
      <Icon aria-hidden className="mr-1 size-3.5" />
      {label}
    </StatusBadge>
  );
}
