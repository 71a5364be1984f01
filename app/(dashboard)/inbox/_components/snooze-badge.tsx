import { StatusBadge } from '@/app/_kit/status-badge';
import { useIsHydrated } from '@/app/_kit/use-is-hydrated';
import { useDateLocale } from '@/app/_kit/viewer-format';
import { shortLaterText } from './later-times';
import { useLaterText } from './use-later-text';

interface SnoozeBadgeProps {
  until: string;
  /** Also of another day than today. */
  withTime?: boolean;
}

/** Until when a conversation is snoozed. */
export function SnoozeBadge({ until, withTime = false }: SnoozeBadgeProps) {
  const locale = useDateLocale();
  const isHydrated = useIsHydrated();
  const textOf = useLaterText();
  const isShort = isHydrated && !withTime;
  return (
    <StatusBadge tone="neutral">
      Until {isShort ? shortLaterText(new Date(until), new Date(), locale) : textOf(until)}
    </StatusBadge>
  );
}
