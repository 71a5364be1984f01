'use client';

import { useEffect, useEffectEvent } from 'react';
import { isKeyTaken } from '@/app/_components/search-field';
import { type CalendarCommand, commandOf } from './calendar-keys';

/** Runs what single keys stand for, unless they are typed into a field or something lies over the page. */
export function useCalendarKeys(handlers: Partial<Record<CalendarCommand, () => void>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // The choice of a view has the focus after a click on it, but takes no letters.
    const isChoice = event.target instanceof HTMLInputElement && event.target.type === 'radio';
    if (event.defaultPrevented || isKeyTaken(isChoice ? null : event.target)) return;
    // Radios, tabs and the like have arrows of their own.
    if (event.key.startsWith('Arrow') && event.target instanceof Element && event.target.closest('[role], fieldset')) return;
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
