import { CircleCheck } from 'lucide-react';
import Link from 'next/link';
import { useIsHydrated } from '@/app/_kit/use-is-hydrated';
import { useViewerLocale } from '@/app/_kit/viewer-format';
import type { Home } from '@/server/features/home/home.schema';
import { englishLocale } from '../../calendar/_components/viewer-week';
import { eventHref, laterWords, todayOf, todayWords } from './today';

interface NextEventProps extends Pick<Home, 'events'> {
  now: Date;
}

interface NothingNeededProps extends NextEventProps {
  /** A line, for where something else is the main thing. */
  isCompact: boolean;
}

/** Stands where the urgent conversations would: all is well, and what comes next. */
export function NothingNeeded({ events, now, isCompact }: NothingNeededProps) {
  const layout = isCompact ? 'gap-3 px-5 py-4' : 'flex-col items-center gap-3 px-6 py-12 text-center';
  return (
    <section aria-labelledby="nothing-needed" className={`flex rounded-lg border border-border bg-surface ${layout}`}>
      <CircleCheck
        aria-hidden
        className={`shrink-0 text-success-text ${isCompact ? 'mt-0.5 size-4' : 'size-6'}`}
        strokeWidth={isCompact ? 2 : 1.75}
      />
      <div className="min-w-0">
        <h2 id="nothing-needed" className={`font-semibold ${isCompact ? 'text-sm' : 'text-base'}`}>
          Nothing needs you right now
        </h2>
        <p className={`max-w-[52ch] text-muted ${isCompact ? 'text-label' : 'mt-1'}`}>
          New mail, failures and whatever else needs you shows up here. <NextEvent events={events} now={now} />
        </p>
      </div>
    </section>
  );
}

function NextEvent({ events, now }: NextEventProps) {
  const isHydrated = useIsHydrated();
  const viewer = { locale: englishLocale(useViewerLocale()) };
  const { today, next } = todayOf(events, now);
  const [event] = today;
  const first = event ?? next;
  if (!isHydrated || !first) return null;
  const when = event ? `today ${todayWords(event, now, viewer).toLowerCase()}` : laterWords(first, now, viewer);
  return (
    <>
      Next on the calendar:{' '}
      <Link href={eventHref(first)} prefetch={false} className="wrap-anywhere text-accent-text underline underline-offset-2">
        {first.title}
      </Link>
      , {when}.
    </>
  );
}
