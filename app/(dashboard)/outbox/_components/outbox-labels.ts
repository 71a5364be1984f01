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
  MailX,
  Reply,
  SendHorizontal,
} from 'lucide-react';
import type { StatusTone } from '@/app/_kit/status-badge';
import type { OutboxMailDetail, OutboxMailRecord } from '@/server/features/mail/mail.schema';
import type { DeliveryLogEntry, OutboxStateName } from '@/server/features/outbox/outbox.schema';
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
  ['unsubscribe', { label: 'Unsubscribing', icon: MailX }],
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

/** The link to an email's conversation or event; null without one, and if the event was deleted. */
export function subjectLink({
  conversationId,
  eventId,
}: Pick<OutboxMailDetail, 'conversationId' | 'eventId'>): { href: string; label: string } | null {
  if (conversationId !== null) return { href: `/inbox/${conversationId}`, label: 'Open conversation' };
  return eventId === null ? null : { href: `/calendar?event=${eventId}`, label: 'Open event' };
}

/** Milliseconds between refetches while an email is queued or being sent. */
export const refreshMilliseconds = 5_000;

/** True for an email that is queued or being sent. */
export const isMoving = ({ state }: Pick<OutboxMailRecord, 'state'>): boolean => state === 'queued' || state === 'sending';

/** The result of an attempt in a word or two. */
export function entryLabel({ kind, delivered, refusals, error }: Omit<DeliveryLogEntry, 'at'>): {
  label: string;
  tone: 'success' | 'warning' | 'danger';
} {
  const isRefused = Object.keys(refusals).length > 0;
  if (kind === 'returned') return { label: 'Returned', tone: 'danger' };
  if (!isRefused && error === null) return { label: 'Accepted', tone: 'success' };
  if (delivered.length > 0) return { label: 'Partly accepted', tone: 'warning' };
  return error === null ? { label: 'Refused', tone: 'danger' } : { label: 'Temporary failure', tone: 'warning' };
}

/** Why an attempt failed: one line per reason, with its recipients unless it is the result for all of them. */
export function entryReasons({ kind, delivered, refusals, error }: Omit<DeliveryLogEntry, 'at'>): string[] {
  const entries = Object.entries(refusals);
  const reasons = [...new Set(Object.values(refusals))];
  const isForAll = reasons.length === 1 && delivered.length === 0 && error === null && kind === 'attempt';
  const recipientsOf = (reason: string) => entries.filter(([, given]) => given === reason).map(([email]) => email);
  const lines = reasons.map((reason) => (isForAll ? reason : `${recipientsOf(reason).join(', ')}: ${reason}`));
  return error === null ? lines : [...lines, error];
}

/** The subject, or a placeholder for an empty one. */
export const mailSubject = ({ subject }: Pick<OutboxMailRecord, 'subject'>): string => subjectOf(subject);

/** The number of attempts: "Not sent yet", "1 attempt", "3 attempts". */
export function attemptsLine(attempts: number): string {
  if (attempts === 0) return 'Not sent yet';
  return attempts === 1 ? '1 attempt' : `${attempts} attempts`;
}

/** Label of sending manually; a waiting email is only sent earlier. Null if there is nothing to send. */
export function resendLabel({ state, attempts }: { state: OutboxStateName; attempts: number }): string | null {
  if (state === 'failed') return 'Retry';
  if (state !== 'queued') return null;
  return attempts === 0 ? 'Send now' : 'Retry now';
}

/** A count that the server caps at a thousand. */
export function countLabel(count: number): string {
  return count >= 1000 ? '1,000+' : String(count);
}
