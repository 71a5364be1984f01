/** What the calendar's pure logic works on; times are milliseconds since 1970 UTC. */

export const frequencies = ['none', 'daily', 'weekly', 'biweekly', 'monthly', 'yearly'] as const;

export type Frequency = (typeof frequencies)[number];

/** When an event is: once, or again and again. */
export interface Series {
  /** As stored: of the first occurrence. */
  start: number;
  end: number;
  /** IANA name. Occurrences keep their wall-clock time there. */
  timezone: string;
  /** Whole days of `timezone`: the local dates that `start` to `end` touch, whatever their time of day. */
  allDay: boolean;
  frequency: Frequency;
  /**
   * The last moment at which an occurrence may begin (inclusive); null for ever. Exactly 00:00 UTC stands for that date as a whole: the
   * occurrence of that local date in `timezone` is the last one allowed.
   */
  until: number | null;
}

/** One time an event takes place: `start` inclusive, `end` exclusive. For an all-day event from midnight to midnight of its zone. */
export interface Occurrence {
  start: number;
  end: number;
}
