import type { Change, Fact, JoinLink } from './event-facts';
import type { Answer } from './mailed-event';

/** A mail as its two parts both say it. All strings are plain text. */
export interface MailContent {
  subject: string;
  /** What mail programs show beside the subject. */
  preheader: string;
  /** The kind of mail, in one or two words. */
  kind: string;
  /** True where the event no longer takes place for the reader. */
  isOff: boolean;
  leaf: { weekday: string; day: string; month: string };
  title: string;
  /** A sentence or two: what happened, and what the reader may do. */
  intro: string;
  changes: Change[];
  facts: Fact[];
  join: JoinLink | null;
  /** Facts that stand after the link to join. */
  people: Fact[];
  description: string;
  question: Question | null;
  /** The one thing to open, for those who have a dashboard. */
  open: { label: string; href: string } | null;
  signature: string;
  /** Why the reader gets this. */
  footer: string;
}

/** Whether the reader will come. */
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

/** The personal page with an answer chosen beforehand; it is recorded only when the reader confirms it there. */
export function answerLink(url: string, answer: Answer): string {
  const link = new URL(url);
  link.searchParams.set('answer', answer);
  return link.href;
}
