import type { Series } from '../series';

export interface IcsPerson {
  email: string;
  name: string | null;
}

export interface IcsAttendee extends IcsPerson {
  response: 'needs_action' | 'accepted' | 'declined' | 'tentative';
  isOptional: boolean;
  /** The one who invites, when among the invited: takes part by definition and is asked nothing. */
  isOrganizer: boolean;
}

/** An event as it is handed to other people's calendars. */
export interface IcsEvent {
  /** The same for as long as the event exists; answers come back under it. */
  uid: string;
  /** How often the event changed in a way that asks for new answers (RFC 5546 2.1.4). */
  sequence: number;
  series: Series;
  title: string;
  description: string;
  location: string;
  /** Left out unless http or https. */
  meetingUrl: string | null;
  meetingPassword: string | null;
  status: 'confirmed' | 'tentative' | 'cancelled';
  created: Date;
  modified: Date;
  /** Null: the attendee with `isOrganizer`, if there is one. */
  organizer: IcsPerson | null;
  attendees: IcsAttendee[];
}
