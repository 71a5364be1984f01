'use client';

import { useIsHydrated } from '@/app/_kit/use-is-hydrated';
import type { Pulse } from '@/server/features/conversations/conversation.schema';
import { usePulse } from './use-pulse';

/**
 * The pulse for what the server renders without it. React takes a page over in parts, and the answer may come between two of them: so
 * nothing is known before the browser has taken over the part at hand, or it would differ from what the server rendered.
 */
export function useFramePulse(): Pulse | undefined {
  const isHydrated = useIsHydrated();
  const pulse = usePulse();
  return isHydrated ? pulse : undefined;
}
