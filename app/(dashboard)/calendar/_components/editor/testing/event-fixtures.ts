import type { EventRecord } from '@/server/features/calendar/calendar.schema';
import type { InviteeRecord } from '@/server/features/calendar/invitee.schema';

/** A stored event, for tests. */
export function makeEvent(changes: Partial<EventRecord> = {}): EventRecord {
  return {
    id: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50',
    identityId: '0199f3b2-5d0a-7c11-8b7e-aa55cc33dd11',
    title: 'Tyres',
    description: '',
    startTime: '2026-11-24T09:00:00.000Z',
    endTime: '2026-11-24T10:00:00.000Z',
    timezone: 'Europe/Berlin',
    allDay: false,
    location: '',
    virtualMeeting: null,
    color: 'blue',
    recurrence: 'none',
    recurrenceEndDate: null,
    status: 'confirmed',
    sendEmailReminders: true,
    agentId: null,
    reminders: [],
    invitees: [],
    agent: null,
    revision: 1,
    createdAt: '2026-11-20T09:00:00.000Z',
    updatedAt: '2026-11-20T09:00:00.000Z',
    ...changes,
  };
}

/** An invitee, for tests. */
export function makeInvitee(email: string, changes: Partial<InviteeRecord> = {}): InviteeRecord {
  return {
    id: `id of ${email}`,
    email,
    name: '',
    responseStatus: 'needs_action',
    isOrganizer: false,
    isOptional: false,
    invitedAt: '2026-11-20T09:00:00.000Z',
    answeredAt: null,
    answeredBy: null,
    answerVerified: null,
    ...changes,
  };
}
