import { useIsHydrated } from '@/app/_kit/use-is-hydrated';
import { useDateLocale } from '@/app/_kit/viewer-format';
import { laterText } from './later-times';

/** Times of emails that are sent later, as the viewer reads them; in UTC until the page is hydrated. */
export function useLaterText(): (time: Date | string) => string {
  const locale = useDateLocale();
  const isHydrated = useIsHydrated();
  return (time) => laterText(new Date(time), locale, isHydrated ? undefined : 'UTC');
}
