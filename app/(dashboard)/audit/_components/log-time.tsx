'use client';

import { useMemo } from 'react';
import { useIsHydrated } from '@/app/_kit/use-is-hydrated';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import type { AuditEntry } from '@/server/features/audit/audit.schema';

/** The clock of whoever looks; a zone only while that is not known yet, on the server. */
export interface ViewersClock {
  locale: string;
  timeZone?: string;
}

interface AuditDay {
  /** `2026-11-21`. */
  date: string;
  entries: AuditEntry[];
}

/** The date of a moment on the viewer's clock: `2026-11-21`. */
export function dateOf(time: Date, { timeZone }: ViewersClock): string {
  // The Swedish way of writing a date is the ISO one.
  return time.toLocaleDateString('sv-SE', timeZone ? { timeZone } : {});
}

/** Entries by the day they were made on, in the order they come. */
export function byDay(entries: readonly AuditEntry[], clock: ViewersClock): AuditDay[] {
  const days: AuditDay[] = [];
  for (const entry of entries) {
    const date = dateOf(new Date(entry.occurredAt), clock);
    const last = days.at(-1);
    if (last?.date === date) last.entries.push(entry);
    else days.push({ date, entries: [entry] });
  }
  return days;
}

/** What a day is called: "Today · Saturday 21 November 2026", "Thursday 19 November 2026". `today` is null while it is not known. */
export function dayName(date: string, today: string | null, locale: string): string {
  const day = Date.parse(`${date}T00:00:00Z`);
  const distance = today === null ? Number.NaN : Math.round((Date.parse(`${today}T00:00:00Z`) - day) / 86_400_000);
  const name = new Date(day).toLocaleDateString(locale, { dateStyle: 'full', timeZone: 'UTC' });
  if (distance === 0) return `Today · ${name}`;
  return distance === 1 ? `Yesterday · ${name}` : name;
}

/** A time of day: "14:32". */
export function clockTime(time: string, { locale, timeZone }: ViewersClock): string {
  return new Date(time).toLocaleTimeString(locale, { timeStyle: 'short', ...(timeZone ? { timeZone } : {}) });
}

/** Day and time of day: "21 Nov, 14:32". */
export function shortTime(time: string, { locale, timeZone }: ViewersClock): string {
  const zone = timeZone ? { timeZone } : {};
  return new Date(time).toLocaleString(locale, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', ...zone });
}

/** Date, time and zone: "21 November 2026 at 14:32:08 CET". */
export function exactTime(time: string, { locale, timeZone }: ViewersClock): string {
  const zone = timeZone ? { timeZone } : {};
  return new Date(time).toLocaleString(locale, { dateStyle: 'long', timeStyle: 'long', ...zone });
}

/** The viewer's zone and way of writing times; UTC on the server and while hydrating, so that both render the same. */
export function useViewersClock(): ViewersClock {
  const isHydrated = useIsHydrated();
  const viewerLocale = useViewerLocale();
  return useMemo(() => {
    // The dashboard speaks English.
    const locale = viewerLocale.startsWith('en') ? viewerLocale : 'en-GB';
    return isHydrated ? { locale } : { locale: 'en-GB', timeZone: 'UTC' };
  }, [isHydrated, viewerLocale]);
}

/** When an entry was made: short, and exactly on hover. `write` says what of it is seen. */
export function LogTime(props: {
  time: string;
  clock: ViewersClock;
  write: (time: string, clock: ViewersClock) => string;
  className?: string;
}) {
  const { time, clock, write, className = '' } = props;
  return (
    <time dateTime={time} title={exactTime(time, clock)} className={`tabular-nums text-muted ${className}`}>
      {write(time, clock)}
    </time>
  );
}
