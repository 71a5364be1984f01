import {
  AlarmClock,
  CalendarPlus,
  CalendarSync,
  CalendarX,
  CircleCheck,
  CircleX,
  Clock,
  type LucideIcon,
  Mail,
  Reply,
  SendHorizontal,
} from 'lucide-react';
import type { StatusTone } from '@/app/_kit/status-badge';
import type { OutboxMailRecord } from '@/server/features/mail/mail.schema';
import type { OutboxStateName } from '@/server/features/outbox/outbox.schema';

interface StateLabels {
  label: string;
  tone: StatusTone;
  icon: LucideIcon;
}

/** What the outbox calls each state. */
export const stateLabels: Record<OutboxStateName, StateLabels> = {
  queued: { label: 'Waiting', tone: 'warning', icon: Clock },
  sending: { label: 'Sending', tone: 'info', icon: SendHorizontal },
  sent: { label: 'Sent', tone: 'success', icon: CircleCheck },
  failed: { label: 'Failed', tone: 'danger', icon: CircleX },
};

interface KindLabel {
  label: string;
  icon: LucideIcon;
}

const kinds = new Map<string, KindLabel>([
  ['reply', { label: 'Reply', icon: Reply }],
  ['test', { label: 'Test', icon: CircleCheck }],
  ['invitation', { label: 'Invitation', icon: CalendarPlus }],
  ['event_update', { label: 'Event update', icon: CalendarSync }],
  ['event_cancellation', { label: 'Cancellation', icon: CalendarX }],
  ['event_reminder', { label: 'Reminder', icon: AlarmClock }],
]);

/** What the outbox calls each kind of mail. */
export function kindLabel(kind: string): KindLabel {
  return kinds.get(kind) ?? { label: 'Mail', icon: Mail };
}

/** What kind of mail it is, in words for those who don't see its icon; '' where the subject begins with them. */
export function kindBefore({ kind, subject }: Pick<OutboxMailRecord, 'kind' | 'subject'>): string {
  const words = `${kindLabel(kind).label}: `;
  return subject.startsWith(words) ? '' : words;
}

/** What a mail belongs to: its conversation, or the calendar. A reply whose conversation is gone leads to the inbox. */
export function mailHref({ kind, conversationId }: Pick<OutboxMailRecord, 'kind' | 'conversationId'>): string {
  if (conversationId !== null) return `/inbox/${conversationId}`;
  return kind === 'invitation' || kind.startsWith('event_') ? '/calendar' : '/inbox';
}

/** What stands in the place of an empty subject. */
export const mailSubject = ({ subject }: Pick<OutboxMailRecord, 'subject'>): string => subject.trim() || 'No subject';

/** How often it was tried: "Not tried yet", "Tried once", "Tried 3 times". */
export function attemptsLine(attempts: number): string {
  if (attempts === 0) return 'Not tried yet';
  return attempts === 1 ? 'Tried once' : `Tried ${attempts} times`;
}

/** What sending by hand is called: mail that waits is only brought forward. Null where there is nothing to send. */
export function resendLabel(state: OutboxStateName): string | null {
  if (state === 'failed') return 'Send again';
  return state === 'queued' ? 'Try now' : null;
}

/** A count that the server stops at a thousand. */
export function countLabel(count: number): string {
  return count >= 1000 ? '1,000+' : String(count);
}
