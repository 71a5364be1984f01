import type { Metadata } from 'next';
import { Suspense } from 'react';
import { HydrateClient, prefetch, trpc } from '@/app/_trpc/server';
import { Calendar } from './_components/calendar';
import { CalendarSkeleton } from './_components/calendar-skeleton';

export const metadata: Metadata = { title: 'Calendar' };

/** The calendar. The browser chooses the displayed days, since it knows the viewer's zone and the window's width. */
export default function CalendarPage() {
  return (
    <Suspense fallback={<CalendarSkeleton />}>
      <PrefetchedCalendar />
    </Suspense>
  );
}

async function PrefetchedCalendar() {
  await prefetch(trpc.agents.list.queryOptions({}));
  return (
    <HydrateClient>
      <Calendar />
    </HydrateClient>
  );
}
