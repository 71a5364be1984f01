'use client';

import { useEffect, useEffectEvent } from 'react';
import { isKeyTaken } from '@/app/_components/search-field';
import { commandOf, type InboxCommand } from './inbox-keys';

type Handlers = Partial<Record<InboxCommand, () => void>>;

/** Runs what single keys stand for, unless they are typed into a field or something lies over the page. */
export function useInboxKeys(handlers: Handlers): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isKeyTaken(event.target)) return;
    const command = commandOf(event);
    const handler = command && handlers[command];
    if (!handler) return;
    event.preventDefault();
    handler();
  });
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}
