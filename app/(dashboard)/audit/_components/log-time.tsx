import { useMemo } from 'react';
import { useIsHydrated } from '@/app/_kit/use-is-hydrated';
import { clockFields, dateOf, useDateLocale } from '@/app/_kit/viewer-format';
import type { AuditEntry } from '@/server/features/audit/audit.schema';

/** The viewer's clock. Without a zone until hydration, since the server does not know it. */
export interface ViewersClock {
  locale: string;
  timeZone?: string | undefined;
}

interface AuditDay {
  /** `2026-11-21`. */
  date: string;
  entries: AuditEntry[];
}

/** Groups entries by day, in their order. */
export function byDay(entries: readonly AuditEntry[], clock: ViewersClock): AuditDay[] {
  const days: AuditDay[] = [];
  for (const entry of entries) {
    const date = dateOf(new Date(entry.occurredAt), clock.timeZone);
    const last = days.at(-1);
    if (last?.date === date) last.entries.push(entry);
    else days.push({ date, entries: [entry] });
  }
  return days;
}

/**
 * The heading of a day: "Today · Saturday 21 November 2026", "Thursday 19 November 2026". `today` is null while it is not
 * known.
 */
export function dayName(date: string, today: string | null, locale: string): string {
  const day = Date.parse(`${date}T00:00:00Z`);
  const distance = today === null ? Number.NaN : Math.round((Date.parse(`${today}T00:00:00Z`) - day) / 86_400_000);
  const name = new Date(day).toLocaleDateString(locale, { dateStyle: 'full', timeZone: 'UTC' });
  if (distance === 0) return `Today · ${name}`;
  return distance === 1 ? `Yesterday · ${name}` : name;
}

/** A time of day: "14:32". */
export function clockTime(time: string, { locale, timeZone }: ViewersClock): string {
  return new Date(time).toLocaleTimeString(locale, { timeStyle: 'short', timeZone });
}

/** Day and time of day: "21 Nov, 14:32". */
export function shortTime(time: string, { locale, timeZone }: ViewersClock): string {
  return new Date(time).toLocaleString(locale, { day: 'numeric', month: 'short', ...clockFields(locale), timeZone });
}

/** Date, time and zone: "21 November 2026 at 14:32:08 CET". */
export function exactTime(time: string, { locale, timeZone }: ViewersClock): string {
  return new Date(time).toLocaleString(locale, { dateStyle: 'long', timeStyle: 'long', timeZone });
}

/** The viewer's zone and locale; UTC on the server and during hydration, so that both render the same. */
export function useViewersClock(): ViewersClock {
  const isHydrated = useIsHydrated();
  const locale = useDateLocale();
  return useMemo(() => (isHydrated ? { locale } : { locale: 'en-GB', timeZone: 'UTC' }), [isHydrated, locale]);
}

/**
 * The time of an entry, or the last of several since another time: short, with the exact one on hover. `write` formats the visible
 * part.
 */
export function LogTime(props: {
  time: string;
  since?: string | undefined;
  clock: ViewersClock;
  write: (time: string, clock: ViewersClock) => string;
  className?: string;
}) {
  const { time, since, clock, write, className = '' } = props;
  const exact = since === undefined ? exactTime(time, clock) : `${exactTime(since, clock)} – ${exactTime(time, clock)}`;
  return (
    <time dateTime={time} title={exact} className={`tabular-nums text-muted ${className}`}>
      {write(time, clock)}
    </time>
  );
}
