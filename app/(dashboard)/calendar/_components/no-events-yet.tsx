'use client';

import { CalendarDays, Plus } from 'lucide-react';
import { Button } from '@/app/_kit/button';
import { EmptyState } from '@/app/_kit/empty-state';
import { Surface } from '@/app/_kit/surface';

interface NoEventsYetProps {
  /** True above a grid, which can be clicked on as well. */
  isCompact: boolean;
  onNew: () => void;
}

const purpose =
  'Appointments with customers: invite them by email, see their answers here, and let reminders go out by themselves.';

/** Stands where nothing was ever planned, and says what a calendar is for. */
export function NoEventsYet({ isCompact, onNew }: NoEventsYetProps) {
  const action = (
    <Button variant="secondary" size="sm" onPress={onNew}>
      <Plus aria-hidden />
      Plan the first event
    </Button>
  );
  if (!isCompact) {
    return (
      <Surface>
        <EmptyState
          icon={CalendarDays}
          title="No events yet"
          description={purpose}
          action={action}
          apiHint="POST /calendar/events"
        />
      </Surface>
    );
  }
  return (
    <section
      aria-label="No events yet"
      className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg border border-border bg-surface px-4 py-3"
    >
      <CalendarDays aria-hidden className="size-5 shrink-0 text-muted" strokeWidth={1.75} />
      <div className="min-w-0 flex-1 basis-64">
        <h2 className="text-sm font-semibold">No events yet</h2>
        <p className="text-label text-muted">
          {purpose} Click a time below, or over the API:{' '}
          <a href="/docs#tag/calendar" className="font-mono text-xs text-accent-text underline-offset-2 hover:underline">
            POST /calendar/events
          </a>
        </p>
      </div>
      {action}
    </section>
  );
}
