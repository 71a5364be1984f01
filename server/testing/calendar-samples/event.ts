import type { IcsAttendee, IcsEvent } from '@/server/platform/ical/ics/calendar-event';

/** An event with the given values, and plain ones for the rest. */
export function sampleEvent(given: Partial<Omit<IcsEvent, 'series'>> & { series?: Partial<IcsEvent['series']> } = {}): IcsEvent {
  return {
    uid: '7b1c9a52-3d0e-4c5f-9a51-0d5be5f7a001@desk.example',
    sequence: 0,
    title: 'Quarterly review',
    description: '',
    location: '',
    meetingUrl: null,
    meetingPassword: null,
    status: 'confirmed',
    created: new Date('2026-03-01T08:00:00.000Z'),
    modified: new Date('2026-03-02T09:30:00.000Z'),
    organizer: { email: 'desk@example.com', name: 'Front Desk' },
    attendees: [],
    ...given,
    series: {
      start: Date.parse('2026-03-20T09:00:00Z'),
      end: Date.parse('2026-03-20T10:00:00Z'),
      timezone: 'Europe/Berlin',
      allDay: false,
      frequency: 'none',
      until: null,
      ...given.series,
    },
  };
}

export function sampleAttendee(given: Partial<IcsAttendee> = {}): IcsAttendee {
  return {
    email: 'bob@example.net',
    name: 'Bob Stone',
    response: 'needs_action',
    isOptional: false,
    isOrganizer: false,
    ...given,
  };
}

export const sampleStamp = new Date('2026-03-02T09:30:05.678Z');
