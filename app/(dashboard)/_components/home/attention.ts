import type { Home } from '@/server/features/home/home.schema';
import type { Meter } from '@/server/features/usage/usage.schema';
import { agentAddressesHref } from '../../agents/_components/mail-problems';
import { statusLabels } from '../../inbox/_components/conversation-labels';
import { metricLabels, wholePercent } from '../../usage/_components/figures';

/** The share of a plan's monthly limit from which a meter needs attention, in percent. */
const warningPercent = 80;

export type MeterTone = 'within' | 'nearly' | 'over';

/** The state of a meter against the plan; one without a limit is always within it. */
export function meterTone({ current, limit, percentage }: Pick<Meter, 'current' | 'limit' | 'percentage'>): MeterTone {
  if (limit < 0) return 'within';
  if (current > limit) return 'over';
  return percentage >= warningPercent ? 'nearly' : 'within';
}

export type AttentionKind =
  | 'waiting'
  | 'open'
  | 'failed'
  | 'mails'
  | 'agents'
  | 'addresses'
  | 'quarantine'
  | 'tokens'
  | 'executions';

/** One item that needs the owner's attention: its count, and the list of all of it. */
export interface Attention {
  kind: AttentionKind;
  label: string;
  /** "3", "99+", or for a meter "84%". */
  figure: string;
  tone: 'plain' | 'warning' | 'danger';
  href: string;
}

/** Caps a count at 99. */
export function cappedCount(count: number): string {
  return count > 99 ? '99+' : String(count);
}

export function agentHref({ id, failures }: Home['agents']['shown'][number]): string {
  return failures > 0 ? `/agents/${id}?tab=activity` : `/agents/${id}`;
}

type Counted = Omit<Attention, 'figure'> & {
  count: number;
  /** How many of them the page lists itself. */
  listed: number;
};

function countsOf({ conversations, mails, agents }: Home): Counted[] {
  const listed = (status: Home['conversations']['urgent'][number]['status']) =>
    conversations.urgent.filter((conversation) => conversation.status === status).length;
  return [
    {
      kind: 'waiting',
      label: statusLabels.waiting_human.label,
      count: conversations.waiting,
      listed: listed('waiting_human'),
      tone: 'warning',
      href: '/inbox?view=waiting',
    },
    {
      kind: 'open',
      label: statusLabels.pending.label,
      count: conversations.open,
      listed: listed('pending'),
      tone: 'plain',
      href: '/inbox?status=pending',
    },
    {
      kind: 'failed',
      label: statusLabels.failed.label,
      count: conversations.failed,
      listed: listed('failed'),
      tone: 'danger',
      href: '/inbox?status=failed',
    },
    { kind: 'mails', label: 'Failed emails', count: mails.failed, listed: 0, tone: 'danger', href: '/outbox?state=failed' },
    {
      kind: 'agents',
      label: 'Agent errors',
      count: agents.failing,
      listed: agents.shown.filter(({ failures }) => failures > 0).length,
      tone: 'danger',
      href: '/agents',
    },
    {
      kind: 'addresses',
      label: 'Agents without email',
      count: agents.withoutMail,
      listed: agents.shown.filter(({ hasNoMail }) => hasNoMail).length,
      tone: 'danger',
      href: agentAddressesHref,
    },
    { kind: 'quarantine', label: 'Blocked messages', count: mails.quarantined, listed: 0, tone: 'warning', href: '/quarantine' },
  ];
}

function meterAttention(kind: 'tokens' | 'executions', meter: Meter): Attention[] {
  const tone = meterTone(meter);
  if (tone === 'within') return [];
  const label = `${metricLabels[kind]} ${tone === 'over' ? 'over plan' : 'of plan'}`;
  return [
    { kind, label, figure: `${wholePercent(meter.percentage)}%`, tone: tone === 'over' ? 'danger' : 'warning', href: '/usage' },
  ];
}

/**
 * What needs the owner's attention now and is not listed on the page itself, in the order of daily use; may be empty. What the page
 * lists completely is not counted as well: each problem is shown once.
 */
export function attentionOf(home: Home): Attention[] {
  return [
    ...countsOf(home)
      .filter(({ count, listed }) => count > listed)
      .map(({ count, listed: _listed, ...attention }) => ({ ...attention, figure: cappedCount(count) })),
    ...meterAttention('tokens', home.usage.tokenUsage),
    ...meterAttention('executions', home.usage.executions),
  ];
}
