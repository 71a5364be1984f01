import { Bell, CalendarClock, ExternalLink, MapPin, NotebookText, Pencil, Repeat, UserRound, Users, Video } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from '@/app/_kit/button';
import { CopyButton } from '@/app/_kit/copy-button';
import { DraftNotice } from '@/app/_kit/draft-notice';
import { HistoryLink } from '@/app/_kit/history-link';
import { LinkedText } from '@/app/_kit/linked-text';
import { SheetBody, SheetFooter, SheetHeader } from '@/app/_kit/overlay/sheet';
import { StatusBadge } from '@/app/_kit/status-badge';
import { useStoredDraft } from '@/app/_kit/use-stored-drafts';
import { useDateLocale } from '@/app/_kit/viewer-format';
import type { EventRecord } from '@/server/features/calendar/calendar.schema';
import { recurrenceLabel, reminderLabel, whenParts } from '@/server/features/calendar/labels';
import type { Series } from '@/server/platform/ical/series';
import { localTime } from '@/server/platform/ical/zones';
import { AgentAvatar } from '../../../agents/_components/agent-avatar';
import { viewerZone } from '../zone-clock';
import { ColorDot } from './color-dot';
import { EventActions } from './event-actions';
import { occurrenceOf, providerNames, seriesOfEvent, statusLabels } from './event-labels';
import { InviteeAnswers } from './invitee-answers';

interface EventViewProps {
  event: EventRecord;
  occurrenceStart: string | null;
  onClose: () => void;
  onEdit: () => void;
  /** Edits it starting from the unsaved draft. */
  onRestore: () => void;
  onCopy: () => void;
  onDeleted: () => void;
}

/** All details of an event, and its actions. */
export function EventView({ event, occurrenceStart, onClose, onEdit, onRestore, onCopy, onDeleted }: EventViewProps) {
  const editButton = useRef<HTMLButtonElement>(null);
  // The element that had the focus may be gone: the clicked row, or the editor's button.
  useEffect(() => editButton.current?.focus({ preventScroll: true }), []);
  const draft = useStoredDraft(`event.${event.id}`, onRestore);
  const isCancelled = event.status === 'cancelled';

  return (
    <>
      <SheetHeader
        onClose={onClose}
        leading={<ColorDot color={event.color} className="mt-2.5" />}
        title={
          <span className={isCancelled ? 'text-muted line-through' : ''}>
            {event.title}
            {isCancelled && <span className="sr-only"> (canceled)</span>}
          </span>
        }
      >
        {event.status !== 'confirmed' && (
          <p className="mt-1.5">
            <StatusBadge tone={statusLabels[event.status].tone}>{statusLabels[event.status].label}</StatusBadge>
          </p>
        )}
      </SheetHeader>
      <SheetBody>
        {draft && <DraftNotice draft={draft} />}
        <dl className="flex flex-col gap-4">
          <When event={event} occurrenceStart={occurrenceStart} />
          {event.location !== '' && (
            <Fact icon={<MapPin />} label="Where">
              <LinkedText isWebOnly text={event.location} />
            </Fact>
          )}
          {event.virtualMeeting && <Meeting meeting={event.virtualMeeting} />}
          {event.description.trim() !== '' && (
            <Fact icon={<NotebookText />} label="Description">
              <LinkedText isWebOnly text={event.description.trim()} />
            </Fact>
          )}
          {event.agent && (
            <Fact icon={<UserRound />} label="Agent">
              <span className="flex items-center gap-2">
                <span className="scale-75 -m-1.5">
                  <AgentAvatar name={event.agent.name} url={event.agent.avatarUrl} />
                </span>
                <span className="min-w-0">
                  <span className="wrap-anywhere">{event.agent.name}</span>
                  <span className="block text-label text-muted">Shown to guests as the organizer.</span>
                </span>
              </span>
            </Fact>
          )}
          {event.invitees.length > 0 && (
            <Fact icon={<Users />} label="Guests">
              <InviteeAnswers event={event} />
            </Fact>
          )}
          {event.reminders.length > 0 && (
            <Fact icon={<Bell />} label="Reminders">
              <ul>
                {event.reminders.map((reminder, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two may be alike, and they are only drawn as a whole.
                  <li key={index}>{reminderLabel(reminder)}, by email</li>
                ))}
              </ul>
            </Fact>
          )}
        </dl>
        <HistoryLink id={event.id} subject="this event" className="mt-6" />
      </SheetBody>
      <SheetFooter>
        <div className="flex items-center gap-2">
          <Button ref={editButton} variant="primary" needs="calendar:write" onPress={onEdit}>
            <Pencil aria-hidden />
            Edit
          </Button>
          <EventActions event={event} onCopy={onCopy} onDeleted={onDeleted} />
        </div>
      </SheetFooter>
    </>
  );
}

/** One row of the list: an icon, with its label for screen readers. */
function Fact({ icon, label, children }: { icon: ReactNode; label: string; children: ReactNode }) {
  return (
    <div className="flex gap-3">
      <dt className="mt-0.5 shrink-0 text-muted [&_svg]:size-4" title={label}>
        <span aria-hidden>{icon}</span>
        <span className="sr-only">{label}</span>
      </dt>
      <dd className="min-w-0 flex-1">{children}</dd>
    </div>
  );
}

function When({ event, occurrenceStart }: { event: EventRecord; occurrenceStart: string | null }) {
  const series = seriesOfEvent(event);
  const { own, elsewhere } = useWhenLabels(occurrenceOf(series, occurrenceStart));
  const isSeries = event.recurrence !== 'none';
  return (
    <>
      <Fact icon={<CalendarClock />} label="When">
        <p className="font-medium">{own.times}</p>
        {own.zone !== null && <p className="text-label text-muted">{own.zone}</p>}
        {elsewhere !== null && (
          <p className="mt-1 text-label text-muted">
            In the event’s time zone: {elsewhere.times}
            {elsewhere.zone !== null && ` (${elsewhere.zone})`}
          </p>
        )}
      </Fact>
      {isSeries && (
        <Fact icon={<Repeat />} label="Repeats">
          <p>{recurrenceLabel(series)}</p>
          <p className="text-label text-muted">Edits change every date.</p>
        </Fact>
      )}
    </>
  );
}

function Meeting({ meeting }: { meeting: NonNullable<EventRecord['virtualMeeting']> }) {
  const name = meeting.provider === 'custom' ? 'the meeting' : providerNames[meeting.provider];
  const isLink = /^https?:\/\//i.test(meeting.url);
  return (
    <Fact icon={<Video />} label="Online meeting">
      {isLink ? (
        <a
          href={meeting.url}
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex items-center gap-1.5 font-medium text-accent-text underline underline-offset-2"
        >
          Join {name}
          <ExternalLink aria-hidden className="size-3.5" />
          <span className="sr-only">(opens in a new tab)</span>
        </a>
      ) : (
        <span>{providerNames[meeting.provider]}</span>
      )}
      <p className="truncate text-label text-muted" title={meeting.url}>
        {meeting.url}
      </p>
      {meeting.password !== undefined && meeting.password !== '' && (
        <p className="mt-1 flex items-center gap-1 text-label">
          <span className="min-w-0 wrap-anywhere">
            Password <code className="font-mono">{meeting.password}</code>
          </span>
          <CopyButton value={meeting.password} label="Copy password" size="sm" />
        </p>
      )}
    </Fact>
  );
}

/**
 * The time of an event in the viewer's zone, and in the event's if the clocks differ. Whole days are dates, the same for
 * everyone.
 */
function useWhenLabels(series: Series) {
  const locale = useDateLocale();
  const zone = viewerZone();
  if (series.allDay) return { own: whenParts(series, { locale }), elsewhere: null };
  const isSame = [series.start, series.end].every((at) => localTime(at, zone) === localTime(at, series.timezone));
  return {
    own: whenParts(series, { locale, timezone: zone }),
    elsewhere: isSame ? null : whenParts(series, { locale }),
  };
}
