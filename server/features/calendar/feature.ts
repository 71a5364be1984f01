import { feature } from '@/server/platform/feature';
import { calendarErrors } from './calendar.errors';
import { calendarRouter } from './calendar.router';
import { calendarFeedRoute } from './calendar-feed';
import { endFeeds } from './feed.service';
import { reindexing, requestReindexing } from './reindex.service';
import { remindersHandler } from './reminder.service';
import { rsvpRoute } from './rsvp/http';

export const calendar = feature({
  name: 'calendar',
  routers: { calendar: calendarRouter },
  httpRoutes: [rsvpRoute, calendarFeedRoute],
  jobs: [remindersHandler, reindexing],
  api: {
    tags: [{ name: 'Calendar', description: 'Events and series, email invitations, responses, and availability.' }],
    errors: calendarErrors,
  },
  tables: [{ names: ['calendar_events', 'calendar_invitees', 'calendar_changes', 'calendar_feeds'] }],
  begin: requestReindexing,
  withdraw: endFeeds,
});
