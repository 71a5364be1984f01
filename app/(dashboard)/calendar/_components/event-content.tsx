import { Repeat, Users } from 'lucide-react';
import type { ReactNode } from 'react';
import { RemoteImage } from '@/app/_kit/remote-image';
import type { EventItem } from '@/server/features/calendar/calendar.schema';
import { eventNotes } from './event-labels';

interface EventContentProps {
  item: EventItem;
  /** The time in the viewer's zone, '' to hide it. */
  timeText: string;
  /** The start time, used if there is no room for the end. */
  startText?: string;
  /**
   * `line` is one line, `short` one line with an optional short time, `block` as many lines as fit, `row` a row of the agenda.
   */
  shape: 'line' | 'short' | 'block' | 'row';
}

/** The content of an event in the grid: time, title, and small icons for the rest. */
export function EventContent({ item, timeText, startText = timeText, shape }: EventContentProps) {
  const notes = eventNotes(item);
  const hint = [timeText, item.title, notes].filter(Boolean).join('\n');
  const title = (
    <>
      <span className={item.status === 'cancelled' ? 'line-through' : undefined}>{item.title}</span>
      {notes && <span className="sr-only">, {notes}</span>}
    </>
  );
  if (shape === 'row') return <AgendaRow item={item} timeText={timeText} title={title} hint={hint} />;
  if (shape === 'block') {
    return (
      // What does not fit wraps into a hidden second column, instead of being cut in the middle of a line.
      <div title={hint} className="flex h-full min-w-0 flex-col flex-wrap content-start overflow-hidden text-xs *:w-full">
        <div className="cal-title font-medium">{title}</div>
        <div className="flex h-4 min-w-0 flex-wrap items-center gap-x-1 overflow-hidden">
          <span className="max-w-full truncate">{timeText}</span>
          <EventIcons item={item} />
        </div>
        {item.location && <div className="truncate">{item.location}</div>}
      </div>
    );
  }
  if (shape === 'short') {
    return (
      // The title first; the rest wraps into a hidden second line if it does not fit.
      <div title={hint} className="flex h-4 min-w-0 flex-1 flex-wrap items-center gap-x-1 overflow-hidden text-xs">
        <span className="max-w-full truncate font-medium">{title}</span>
        <EventIcons item={item} />
        <span>{startText}</span>
      </div>
    );
  }
  return (
    <div title={hint} className="cal-small flex min-w-0 flex-1 items-center gap-1 overflow-hidden text-xs">
      {timeText && <span className="shrink-0 max-md:hidden">{timeText}</span>}
      <span className="min-w-0 truncate font-medium">{title}</span>
      <EventIcons item={item} />
    </div>
  );
}

interface AgendaRowProps extends Pick<EventContentProps, 'item' | 'timeText'> {
  title: ReactNode;
  hint: string;
}

function AgendaRow({ item, timeText, title, hint }: AgendaRowProps) {
  return (
    <div title={hint} className="flex min-w-0 flex-1 items-center gap-x-3 text-sm max-sm:flex-col max-sm:items-start">
      <span className="shrink-0 text-label text-muted sm:w-32">{timeText}</span>
      <span className="flex w-full min-w-0 flex-1 items-center gap-2">
        <span className={`min-w-0 truncate ${item.status === 'cancelled' ? 'text-muted' : ''}`}>{title}</span>
        {item.status !== 'confirmed' && (
          <span aria-hidden className="shrink-0 rounded-sm bg-default px-1.5 text-xs capitalize">
            {item.status}
          </span>
        )}
        <EventIcons item={item} />
        {item.location && <span className="ml-auto max-w-2/5 truncate text-label text-muted max-sm:hidden">{item.location}</span>}
      </span>
    </div>
  );
}

/** Icons for a series and invitees, and the agent; described by the event's label. */
function EventIcons({ item }: { item: EventItem }) {
  return (
    <span aria-hidden className="cal-signs flex shrink-0 items-center gap-1">
      {item.recurrence !== 'none' && <Repeat className="size-3" />}
      {item.inviteeCount > 0 && <Users className="size-3" />}
      {item.agent && <AgentIcon agent={item.agent} />}
    </span>
  );
}

function AgentIcon({ agent: { name, avatarUrl } }: { agent: NonNullable<EventItem['agent']> }) {
  return (
    <span className="flex size-4 items-center justify-center overflow-hidden rounded-sm bg-accent-soft text-[0.625rem] leading-none font-semibold text-accent-text">
      <RemoteImage
        sources={/^https?:\/\//.test(avatarUrl) ? [avatarUrl] : []}
        width={16}
        height={16}
        className="size-full object-cover"
        fallback={name.trim().charAt(0).toUpperCase()}
      />
    </span>
  );
}
