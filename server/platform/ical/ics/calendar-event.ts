import type { Series } from '../series';

export interface IcsPerson {
  email: string;
  name: string | null;
}

export interface IcsAttendee extends IcsPerson {
  response: 'needs_action' | 'accepted' | 'declined' | 'tentative';
  isOptional: boolean;
  /** The organizer as an attendee: participates by definition, so no answer is requested. */
  isOrganizer: boolean;
}

/** An event as exported to other calendars. */
export interface IcsEvent {
  /** Stable for the event's lifetime; replies refer to it. */
  uid: string;
  /** Number of changes that require new replies (RFC 5546 2.1.4). */
  sequence: number;
  series: Series;
  title: string;
  description: string;
  location: string;
  /** Omitted unless http or https. */
  meetingUrl: string | null;
  meetingPassword: string | null;
  status: 'confirmed' | 'tentative' | 'cancelled';
  created: Date;
  modified: Date;
  /** Null: the attendee with `isOrganizer`, if any. */
  organizer: IcsPerson | null;
  attendees: IcsAttendee[];
}
