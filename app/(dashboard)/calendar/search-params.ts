import { createParser, parseAsString, parseAsStringLiteral } from 'nuqs/server';

/** From the widest view to the list of coming events. */
export const calendarViews = ['month', 'week', 'day', 'agenda'] as const;

export type CalendarView = (typeof calendarViews)[number];

/** A date of the calendar, `2026-11-24`, within the years that the API accepts. */
const parseAsDate = createParser<string>({
  parse(text) {
    if (!/^[1-9]\d{3}-\d\d-\d\d$/.test(text)) return null;
    const at = Date.parse(`${text}T00:00:00Z`);
    return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) && text < '9998' ? text : null;
  },
  serialize: (date) => date,
});

/** Search parameters of the calendar. The default view depends on the window; the default date is today. */
export const calendarSearchParams = {
  view: parseAsStringLiteral(calendarViews),
  date: parseAsDate,
  agent: parseAsString.withDefault(''),
  /** The id of the open event. Emails link to it. */
  event: parseAsString,
  /** For a series, the start of the opened occurrence. */
  at: parseAsString,
};
