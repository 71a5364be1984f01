'use client';

/** What a new event begins with: where somebody clicked or dragged. */
export interface NewEvent {
  /** ISO 8601 in UTC. */
  startTime: string;
  endTime: string;
  allDay: boolean;
  timezone: string;
}

/** What the panel shows: an event (of a series, the occurrence that was opened), or the editor of a new one. */
export type OpenEvent =
  { kind: 'event'; eventId: string; occurrenceStart: string | null } | { kind: 'new'; draft: NewEvent };

interface EventPanelProps {
  open: OpenEvent | null;
  onClose(): void;
  /** After a new event was saved: the panel goes on with it. */
  onCreated(eventId: string): void;
}

export function EventPanel({ open }: EventPanelProps) {
  return open ? <p>{open.kind}</p> : null;
}
