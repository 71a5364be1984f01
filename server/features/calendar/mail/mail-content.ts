import type { Answer } from '../invitee.schema';
import type { Change, Fact, JoinLink } from './event-facts';

/** The content that both parts of a mail share. All strings are plain text. */
export interface MailContent {
  subject: string;
  /** Whose mail it is: the name of the business. */
  sender: string;
  /** Preview text that mail programs show beside the subject. */
  preheader: string;
  /** The kind of mail, in one or two words. */
  kind: string;
  /** True if the event no longer takes place for the reader. */
  isOff: boolean;
  dateParts: { weekday: string; day: string; month: string };
  title: string;
  /** One or two sentences: what happened, and the reader's options. */
  intro: string;
  changes: Change[];
  facts: Fact[];
  join: JoinLink | null;
  /** Facts after the join link. */
  people: Fact[];
  description: string;
  question: Question | null;
  /** Link for readers with a dashboard. */
  open: { label: string; href: string } | null;
  signature: string;
  /** Why the reader gets this mail. */
  footer: string;
}

/** The RSVP question. */
export interface Question {
  text: string;
  url: string;
  current: Answer | null;
}

export const answers: { answer: Answer; label: string }[] = [
  { answer: 'accepted', label: 'Accept' },
  { answer: 'tentative', label: 'Maybe' },
  { answer: 'declined', label: 'Decline' },
];

/** The RSVP page with a preselected response; it is recorded only when the reader confirms it there. */
export function answerLink(url: string, answer: Answer): string {
  const link = new URL(url);
  link.searchParams.set('answer', answer);
  return link.href;
}
