/** The calendar, for queries of other features. */

export const calendarEvents =
  '(SELECT id, identity_id, title, location, start_at, end_at, timezone, all_day, status, recurrence, recurrence_end_at, over_at FROM calendar_events)';

export const calendarInvitees = '(SELECT identity_id, event_id, email, response FROM calendar_invitees)';

export const calendarChanges = '(SELECT identity_id, changes FROM calendar_changes)';

export const eventSizes = '(SELECT identity_id, pg_column_size(r) AS bytes FROM calendar_events r)';
