const fills = { accent: 'bg-accent', neutral: 'bg-border-tertiary', warning: 'bg-warning', danger: 'bg-danger' };

interface ShareBarProps {
  percent: number;
  tone?: keyof typeof fills;
}

/** A thin bar beside a number with the same value, hidden from screen readers. */
export function ShareBar({ percent, tone = 'accent' }: ShareBarProps) {
  return (
    <span aria-hidden className="block h-1 overflow-hidden rounded-full bg-default">
      <span className={`block h-full rounded-full ${fills[tone]}`} style={{ width: `${Math.min(percent, 100)}%` }} />
    </span>
  );
}
