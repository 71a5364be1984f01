import { eventKind } from '@/server/features/events/event-kind.schema';
import { type EventRecord, eventSchema } from './calendar.schema';

const hidden = '•••';

/** Whoever reads the log need not be able to join the meeting. */
function withoutPassword(event: EventRecord): EventRecord {
  const { virtualMeeting } = event;
  return virtualMeeting?.password ? { ...event, virtualMeeting: { ...virtualMeeting, password: hidden } } : event;
}

export const calendarEvents = eventKind({
  object: 'calendar.event',
  schema: eventSchema,
  path: (id) => `/calendar/events/${id}`,
  access: { scope: 'calendar:read' },
  mask: withoutPassword,
  types: {
    'calendar.event.created': 'An event was created or restored.',
    'calendar.event.updated': 'An event or its list of invitees changed.',
    'calendar.event.cancelled': 'An event was cancelled. It stays in the calendar.',
    'calendar.event.deleted': 'An event was deleted. It can be restored for 30 days.',
    'calendar.invitee.responded': 'An invitee responded by email, with their personal link, or with the API.',
  },
  example: {
    id: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f60',
    identityId: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f61',
    title: 'Fitting of the new bike',
    description: 'Bring the shoes you ride in.',
    startTime: '2026-11-24T09:00:00.000Z',
    endTime: '2026-11-24T10:00:00.000Z',
    timezone: 'Europe/Berlin',
    allDay: false,
    location: 'Harbor Lane 4',
    virtualMeeting: { provider: 'zoom', url: 'https://zoom.example.com/j/4711', password: hidden },
    color: 'blue',
    recurrence: 'none',
    recurrenceEndDate: null,
    status: 'confirmed',
    sendEmailReminders: true,
    agentId: null,
    reminders: [{ type: 'email', value: 30, unit: 'minutes' }],
    invitees: [
      {
        id: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f62',
        email: 'ann@quark.example',
        name: 'Ann',
        responseStatus: 'accepted',
        isOrganizer: false,
        isOptional: false,
        invitedAt: '2026-11-20T09:30:00.000Z',
        answeredAt: '2026-11-20T11:12:00.000Z',
        answeredBy: 'link',
        answerVerified: true,
      },
    ],
    agent: null,
    revision: 1,
    createdAt: '2026-11-20T09:30:00.000Z',
    updatedAt: '2026-11-20T09:30:00.000Z',
  },
});
