/** Input and output of the calendar's pure logic; times are milliseconds since 1970 UTC. */

export const frequencies = ['none', 'daily', 'weekly', 'biweekly', 'monthly', 'yearly'] as const;

export type Frequency = (typeof frequencies)[number];

/** The times of a single or recurring event. */
export interface Series {
  /** Of the first occurrence, as stored. */
  start: number;
  end: number;
  /** IANA name. Occurrences keep their local time in it. */
  timezone: string;
  /** Whole days in `timezone`: the local dates from `start` to `end`, ignoring their time of day. */
  allDay: boolean;
  frequency: Frequency;
  /**
   * The latest start of an occurrence (inclusive); null if unlimited. Exactly 00:00 UTC means that whole date: the occurrence
   * on that local date in `timezone` is the last one.
   */
  until: number | null;
}

/** One occurrence: `start` inclusive, `end` exclusive. All-day events run from midnight to midnight in their zone. */
export interface Occurrence {
  start: number;
  end: number;
}
