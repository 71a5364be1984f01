import { createParser, parseAsString, parseAsStringLiteral } from 'nuqs/server';

/** From the widest look to the list of what comes. */
export const calendarViews = ['month', 'week', 'day', 'agenda'] as const;

export type CalendarView = (typeof calendarViews)[number];

/** A date of the calendar, `2026-11-24`, in the years the API knows. */
const parseAsDate = createParser<string>({
  parse(text) {
    if (!/^[1-9]\d{3}-\d\d-\d\d$/.test(text)) return null;
    const at = Date.parse(`${text}T00:00:00Z`);
    return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text) && text < '9998' ? text : null;
  },
  serialize: (date) => date,
});

/** What the calendar's address says. Without a view it depends on the window, without a date it is today. */
export const calendarSearchParams = {
  view: parseAsStringLiteral(calendarViews),
  date: parseAsDate,
  agent: parseAsString.withDefault(''),
  /** The id of the event that is open. Mails link to it. */
  event: parseAsString,
  /** Of a series, when the occurrence that was opened starts. */
  at: parseAsString,
};
