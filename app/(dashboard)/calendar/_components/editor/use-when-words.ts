import { useViewerLocale } from '@/app/_kit/viewer-format';
import { whenParts } from '@/server/features/calendar/labels';
import type { Series } from '@/server/platform/ical/series';
import { localTime } from '@/server/platform/ical/zones';
import { viewerZone } from '../zone-clock';

/**
 * When an event is, in the viewer's zone, and in the event's where clocks show something else there. Whole days are dates, the same for
 * everybody.
 */
export function useWhenWords(series: Series) {
  const viewerLocale = useViewerLocale();
  const locale = viewerLocale.startsWith('en') ? viewerLocale : 'en-GB';
  const zone = viewerZone();
  if (series.allDay) return { own: whenParts(series, { locale }), elsewhere: null };
  const isSame = [series.start, series.end].every((at) => localTime(at, zone) === localTime(at, series.timezone));
  return {
    own: whenParts(series, { locale, timezone: zone }),
    elsewhere: isSame ? null : whenParts(series, { locale }),
  };
}
