import Link from 'next/link';
import { SectionCard } from '@/app/_kit/section-card';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import { StatusBadge } from '@/app/_kit/status-badge';
import { useIsHydrated } from '@/app/_kit/use-is-hydrated';
import { useDateLocale } from '@/app/_kit/viewer-format';
import type { Home, HomeEvent } from '@/server/features/home/home.schema';
import { cappedCount } from './attention';
import { CardLink } from './home-cards';
import { eventHref, isNow, laterLabel, todayLabel, todayOf } from './today';

const shown = 6;

interface TodayCardProps extends Pick<Home, 'events' | 'openAnswers'> {
  now: Date;
}

/** The rest of the viewer's day, the next event after it, and open invitations. */
export function TodayCard({ events, openAnswers, now }: TodayCardProps) {
  // Only the browser knows the viewer's date.
  const isHydrated = useIsHydrated();
  return (
    <SectionCard title="Today" flush actions={<CardLink href="/calendar?view=day">View calendar</CardLink>}>
      {isHydrated ? (
        <>
          <Today events={events} now={now} />
          {openAnswers.count > 0 && <OpenAnswers openAnswers={openAnswers} now={now} />}
        </>
      ) : (
        <SkeletonLines lines={3} label="Loading today" />
      )}
    </SectionCard>
  );
}

const rowClass = 'block px-5 py-2.5 -outline-offset-2 hover:bg-surface-hover';

function Today({ events, now }: { events: readonly HomeEvent[]; now: Date }) {
  const viewer = { locale: useDateLocale() };
  const { today, next } = todayOf(events, now);
  if (today.length === 0) {
    return (
      <>
        <p className={`px-5 text-muted ${next ? 'pt-4 pb-1' : 'py-4'}`}>No more events today</p>
        {next && (
          <Link href={eventHref(next)} prefetch={false} className={rowClass}>
            <EventLines event={next} when={`Next: ${laterLabel(next, now, viewer)}`} />
          </Link>
        )}
      </>
    );
  }
  return (
    <ul>
      {today.slice(0, shown).map((event) => (
        <li key={`${event.id} ${event.start}`} className="border-b border-separator last:border-b-0">
          <Link href={eventHref(event)} prefetch={false} className={rowClass}>
            <EventLines event={event} when={todayLabel(event, now, viewer)} isNow={isNow(event, now)} />
          </Link>
        </li>
      ))}
      {today.length > shown && (
        <li className="px-5 py-2.5">
          <CardLink href="/calendar?view=day">{`${today.length - shown} more today`}</CardLink>
        </li>
      )}
    </ul>
  );
}

function EventLines({ event, when, isNow = false }: { event: HomeEvent; when: string; isNow?: boolean }) {
  const { title, location, isTentative } = event;
  const details = [when, location.trim()].filter((part) => part !== '').join(' · ');
  return (
    <>
      <span className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate font-medium" title={title}>
          {title}
        </span>
        {isTentative && <StatusBadge tone="warning">Tentative</StatusBadge>}
        {isNow && <StatusBadge tone="info">Now</StatusBadge>}
      </span>
      <span className="mt-0.5 block truncate text-label text-muted" title={details}>
        {details}
      </span>
    </>
  );
}

function OpenAnswers({ openAnswers: { count, events }, now }: { openAnswers: Home['openAnswers']; now: Date }) {
  const viewer = { locale: useDateLocale() };
  const others = count - events.reduce((sum, { waiting }) => sum + waiting, 0);
  return (
    <div className="border-t border-separator pt-3 pb-1">
      <h3 className="px-5 pb-1 text-label text-muted">
        {cappedCount(count)} {count === 1 ? 'guest hasn’t' : 'guests haven’t'} responded
      </h3>
      <ul>
        {events.map((event) => (
          <li key={event.id}>
            <Link
              href={eventHref(event)}
              prefetch={false}
              className="flex items-center gap-3 px-5 py-1.5 text-label -outline-offset-2 hover:bg-surface-hover"
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate" title={event.title}>
                  {event.title}
                </span>
                <span className="block truncate text-muted">{laterLabel(event, now, viewer)}</span>
              </span>
              <StatusBadge tone="neutral">{cappedCount(event.waiting)} pending</StatusBadge>
            </Link>
          </li>
        ))}
        {others > 0 && (
          <li className="px-5 py-1.5">
            <CardLink href="/calendar">{`${others} more for other events`}</CardLink>
          </li>
        )}
      </ul>
    </div>
  );
}
