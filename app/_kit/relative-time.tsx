import { useSyncExternalStore } from 'react';
import { englishLocale } from './viewer-format';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** All relative times of a page update together, once a minute. */
function subscribe(onTick: () => void): () => void {
  const timer = setInterval(onTick, minute);
  return () => clearInterval(timer);
}

const currentMinute = () => Math.floor(Date.now() / minute);
/** -1 means that the viewer's clock, zone and locale are not known yet: on the server and during hydration. */
const unknown = () => -1;

function magnitude(distance: number): string {
  if (distance < hour) return `${Math.floor(distance / minute)} min`;
  if (distance < day) return `${Math.floor(distance / hour)} h`;
  const days = Math.floor(distance / day);
  return days === 1 ? '1 day' : `${days} days`;
}

/** How long ago a time is; at least a minute. */
export function describeSpan(time: Date, now: Date): string {
  return magnitude(Math.max(now.getTime() - time.getTime(), minute));
}

/** Relative within a week either way, else the date. */
export function describeTime(time: Date, now: Date, format: (time: Date, options: Intl.DateTimeFormatOptions) => string): string {
  const distance = now.getTime() - time.getTime();
  if (Math.abs(distance) < minute) return distance >= 0 ? 'just now' : 'in a moment';
  if (Math.abs(distance) < 7 * day) return distance > 0 ? `${magnitude(distance)} ago` : `in ${magnitude(-distance)}`;
  const isThisYear = time.getFullYear() === now.getFullYear();
  return format(time, { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) });
}

interface RelativeTimeProps {
  value: string | Date;
  /** Shows the date, however near it is. */
  isDate?: boolean;
  /** Shows how long ago it is, however far. */
  isSpan?: boolean;
  className?: string;
}

/** A moment in the viewer's zone; the exact time with the zone on hover and for screen readers. */
export function RelativeTime({ value, isDate = false, isSpan = false, className }: RelativeTimeProps) {
  const time = typeof value === 'string' ? new Date(value) : value;
  const isKnown = useSyncExternalStore(subscribe, currentMinute, unknown) !== unknown();
  const locale = isKnown ? englishLocale(navigator.language) : 'en-GB';
  const zone: Intl.DateTimeFormatOptions = isKnown ? {} : { timeZone: 'UTC' };
  const exact = time.toLocaleString(locale, { dateStyle: 'long', timeStyle: 'long', ...zone });
  const shown =
    isKnown && !isDate
      ? isSpan
        ? describeSpan(time, new Date())
        : describeTime(time, new Date(), (moment, options) => moment.toLocaleDateString(locale, options))
      : time.toLocaleDateString(locale, { day: 'numeric', month: 'short', year: 'numeric', ...zone });
  return (
    <time dateTime={time.toISOString()} title={exact} className={`whitespace-nowrap ${className ?? ''}`}>
      <span aria-hidden>{shown}</span>
      <span className="sr-only">{exact}</span>
    </time>
  );
}
