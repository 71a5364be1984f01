import { Bot, CircleAlert, Gauge, Hourglass, type LucideIcon, Mail, SendHorizontal, ShieldAlert } from 'lucide-react';
import Link from 'next/link';
import type { Attention, AttentionKind } from './attention';

const icons: Record<AttentionKind, LucideIcon> = {
  waiting: Hourglass,
  unread: Mail,
  failed: CircleAlert,
  mails: SendHorizontal,
  agents: Bot,
  quarantine: ShieldAlert,
  tokens: Gauge,
  executions: Gauge,
};

const tones: Record<Attention['tone'], string> = {
  plain: 'text-muted',
  warning: 'text-warning-text',
  danger: 'text-danger-text',
};

/** Everything that needs the owner in one row, each with its number and a link to exactly that. */
export function AttentionStrip({ attention }: { attention: readonly Attention[] }) {
  return (
    <section aria-label="What needs you now" className="mb-6 overflow-hidden rounded-lg border border-border bg-surface">
      <ul className="-mr-px -mb-px flex flex-wrap">
        {attention.map(({ kind, label, figure, tone, href }) => {
          const Icon = icons[kind];
          return (
            <li key={kind} className="min-w-[50%] flex-1 border-r border-b border-separator sm:min-w-36">
              <Link href={href} className="block px-4 py-3 -outline-offset-2 hover:bg-surface-hover sm:px-5 sm:py-4">
                <span className={`flex items-center gap-1.5 text-label ${tones[tone]}`}>
                  <Icon aria-hidden className="size-3.5 shrink-0" />
                  <span className="truncate">{label}</span>
                </span>
                <span className="mt-1 block text-display font-semibold tracking-tight">{figure}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
