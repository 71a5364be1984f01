import { Bot, ChevronRight, Cog, KeyRound, type LucideIcon, MailQuestion, UserRound } from 'lucide-react';
import { memo, useId, useState } from 'react';
import { onDemandComponent } from '@/app/_kit/overlay/load-on-demand';
import { RelativeTime } from '@/app/_kit/relative-time';
import { SkeletonLines } from '@/app/_kit/skeleton-lines';
import type { EventRecord } from '@/server/features/events/event.schema';
import { actorName, objectName, typeLabel } from './event-labels';

const EventDetails = onDemandComponent(
  () => import('./event-details').then((file) => file.EventDetails),
  <div className="px-4">
    <SkeletonLines lines={3} shape="text" label="Loading event" />
  </div>,
);

const actorIcons: Record<EventRecord['actor']['type'], LucideIcon> = {
  user: UserRound,
  api_key: KeyRound,
  agent: Bot,
  system: Cog,
  guest: MailQuestion,
};

/** One event in a line, two on a phone; opens its details. */
export const EventRow = memo(function EventRow({ event }: { event: EventRecord }) {
  const [isOpen, setIsOpen] = useState(false);
  const detailsId = useId();
  const name = objectName(event);
  return (
    <li className="border-b border-separator last:border-b-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={detailsId}
        onClick={() => setIsOpen(!isOpen)}
        className="grid min-h-11 w-full cursor-pointer grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-1.5 text-left text-label hover:bg-surface-hover focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-focus md:grid-cols-[minmax(0,1fr)_minmax(0,10rem)_5.5rem_1rem]"
      >
        <span className="flex min-w-0 gap-x-2" title={`${typeLabel(event.type)} ${name}`.trim()}>
          <span className="shrink-0 font-medium">{typeLabel(event.type)}</span>
          <span className="min-w-0 truncate text-muted">{name}</span>
        </span>
        <span className="flex min-w-0 items-center gap-x-2 text-muted max-md:order-3 max-md:col-start-1">
          <RelativeTime value={event.createdAt} className="shrink-0 md:hidden" />
          <Actor actor={event.actor} />
        </span>
        <RelativeTime value={event.createdAt} className="text-muted max-md:hidden" />
        <ChevronRight
          aria-hidden
          className={`size-4 text-muted transition-transform duration-150 max-md:order-2 motion-reduce:transition-none ${isOpen ? 'rotate-90' : ''}`}
        />
      </button>
      <div id={detailsId} hidden={!isOpen}>
        {isOpen && <EventDetails event={event} />}
      </div>
    </li>
  );
});

function Actor({ actor }: Pick<EventRecord, 'actor'>) {
  const Icon = actorIcons[actor.type];
  const name = actorName(actor);
  return (
    <span className="flex min-w-0 items-center gap-1.5" title={name}>
      <Icon aria-hidden className="size-3.5 shrink-0" />
      <span className="truncate">
        <span className="sr-only">by </span>
        {name}
      </span>
    </span>
  );
}
