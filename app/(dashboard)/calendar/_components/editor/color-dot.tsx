import type { EventColor } from '@/server/features/calendar/calendar.schema';
import { colorClasses } from '../event-labels';

/** An event's color. If the name matters, it is shown beside the dot. */
export function ColorDot({ color, className = '' }: { color: EventColor; className?: string }) {
  return (
    <span
      aria-hidden
      className={`size-3 shrink-0 rounded-full bg-[oklch(0.6_0.14_var(--cal-hue))] dark:bg-[oklch(0.7_0.12_var(--cal-hue))] ${colorClasses[color]} ${className}`}
    />
  );
}
