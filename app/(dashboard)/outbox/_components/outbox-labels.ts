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
import { subjectOf } from '../../inbox/_components/conversation-labels';

interface StateLabels {
  label: string;
  tone: StatusTone;
  icon: LucideIcon;
}

/** Labels of the states. */
export const stateLabels: Record<OutboxStateName, StateLabels> = {
  queued: { label: 'Queued', tone: 'warning', icon: Clock },
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

/** The label of a kind of mail. */
export function kindLabel(kind: string): KindLabel {
  return kinds.get(kind) ?? { label: 'Email', icon: Mail };
}

/** The kind of a mail as text, for those who can't see its icon; '' if the subject begins with it. */
export function kindBefore({ kind, subject }: Pick<OutboxMailRecord, 'kind' | 'subject'>): string {
  const words = `${kindLabel(kind).label}: `;
  return subject.startsWith(words) ? '' : words;
}

/** The page that a mail belongs to: its conversation, or the calendar. A reply without its conversation links to the inbox. */
export function mailHref({ kind, conversationId }: Pick<OutboxMailRecord, 'kind' | 'conversationId'>): string {
  if (conversationId !== null) return `/inbox/${conversationId}`;
  return kind === 'invitation' || kind.startsWith('event_') ? '/calendar' : '/inbox';
}

/** The subject, or a placeholder for an empty one. */
export const mailSubject = ({ subject }: Pick<OutboxMailRecord, 'subject'>): string => subjectOf(subject);

/** The number of attempts: "Not sent yet", "1 attempt", "3 attempts". */
export function attemptsLine(attempts: number): string {
  if (attempts === 0) return 'Not sent yet';
  return attempts === 1 ? '1 attempt' : `${attempts} attempts`;
}

/** Label of sending manually; waiting mail is only sent earlier. Null if there is nothing to send. */
export function resendLabel(state: OutboxStateName): string | null {
  if (state === 'failed') return 'Retry';
  return state === 'queued' ? 'Retry now' : null;
}

/** A count that the server caps at a thousand. */
export function countLabel(count: number): string {
  return count >= 1000 ? '1,000+' : String(count);
}
