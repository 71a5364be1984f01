import { createTestEvent } from '@/server/testing/calendar';
import type { Examples } from '@/server/testing/examples';
import { deleteEvent } from '../event-deletion.service';

const hour = { startTime: '2026-11-24T09:00:00Z', endTime: '2026-11-24T10:00:00Z' };
const meeting = { provider: 'zoom', url: 'https://zoom.example/j/1' };

export const examples: Examples = {
  bodies: {
    'calendar.create': { title: 'New', ...hour },
    'calendar.update': { title: 'Changed' },
    'calendar.rsvp': { response: 'accepted' },
  },
  queries: { 'calendar.availability': () => hour },
  records: {
    parameters: ['eventId'],
    // Its owner is invited as well, so that they can respond.
    create: async ({ actor, owner }) => ({
      eventId: (await createTestEvent(actor, { invitees: [{ email: 'ann@x.io' }, { email: owner.email }] })).id,
    }),
  },
  own: {
    'calendar.update': ({ ids: { eventId } }) => [
      { eventId, title: 'Changed' },
      { eventId, virtualMeeting: { ...meeting, password: 'sesame-4711' } },
      { eventId, virtualMeeting: { ...meeting, password: 'sesame-4712' } },
      { eventId, status: 'cancelled', notifyAttendeesOfChanges: true },
    ],
    'calendar.restore': async ({ actor, ids: { eventId = '' } }) => {
      await deleteEvent(actor, eventId);
      return [{ eventId }];
    },
  },
  foreign: {
    'calendar.list': ({ agentId }) => [
      { startDate: '2026-01-01', endDate: '2027-01-01', expand: true, includeInvitees: true },
      { agentId },
    ],
    'calendar.create': ({ agentId, customerEmail }) => [
      { title: 'Mine', ...hour, agentId },
      { title: 'Mine', ...hour, invitees: [{ email: customerEmail }], sendEmailReminders: false },
    ],
    'calendar.availability': ({ eventId }) => [hour, { ...hour, excludeEventId: eventId }],
    'calendar.exportEvent': ({ eventId }) => [{ eventId }],
  },
  withoutRecords: ['calendar.feed'],
  async fill({ as, known: { agentId, customerEmail = '', domain, marker }, words }) {
    const { event } = await as.calendar.create({
      ...{ ...hour, title: `Event ${words}`, description: words, location: words, agentId },
      virtualMeeting: { provider: 'zoom', url: `https://${domain}/`, password: marker },
      invitees: [{ email: customerEmail, name: words }],
    });
    const { url: feedUrl } = await as.calendar.renewFeed({});
    if (!feedUrl) throw new Error('Set PUBLIC_URL, so that there is a feed.');
    return { eventId: event.id, feedUrl };
  },
  unaudited: ['calendar_changes'],
  reference: ['calendar_feeds'],
  rules: [
    { operation: /events/, problem: /^timezone: must be an IANA time zone/, why: 'the list of zones is not ours' },
    { operation: /calendar/, problem: /^end(Time|Date): must (be after|not be before)/, why: 'two fields against each other' },
    { operation: /calendar/, problem: /: must be in the years /, why: 'what every calendar program can show' },
    { operation: /events/, problem: /reminders\.\d+\.value: must be at most a year/, why: 'two fields against each other' },
    {
      operation: /events/,
      problem: /^invitees\.\d+\.displayName: must be the same as name/,
      why: 'two fields against each other',
    },
    { operation: /events/, problem: /^recurrenceEndDate: /, why: 'a series does not end before it starts' },
    { operation: /^GET \/calendar\/events$/, problem: /: is required with expand$/, why: 'a series has no end' },
    { operation: /^GET \/calendar/, problem: /^endTime: must be at most/, why: 'two fields against each other' },
  ],
  notFound: {
    'calendar.create': ({ send, body }) => send({ json: { ...body, agentId: '0199f3b2-6c1e-7a40-9a3e-0c1f2d3e4f50' } }),
  },
  conflicts: {
    'calendar.update': ['edited_elsewhere', ({ send }) => send({ json: { title: 'x', ifRevision: 77 } })],
  },
};
