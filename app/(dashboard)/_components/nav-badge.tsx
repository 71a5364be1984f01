import type { NavBadge } from './section';

const most = 99;

const tones: Record<NavBadge['tone'], string> = {
  plain: 'bg-default text-foreground',
  danger: 'bg-danger-soft text-danger-text',
};

/** The count beside a navigation entry; nothing for 0. */
export function NavCount({ badge, count, className = '' }: { badge: NavBadge | undefined; count: number; className?: string }) {
  if (!badge || count === 0) return null;
  return (
    <span
      className={`inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-sm px-1 text-xs font-medium tabular-nums ${tones[badge.tone]} ${className}`}
    >
      {count > most ? `${most}+` : count}
      <span className="sr-only"> {badge.unit}</span>
    </span>
  );
}
