import { counted } from './event-labels';

/** The pending change of an event with invitees, or of all dates of a series. */
export interface MailQuestion {
  title: string;
  /** How many would be mailed: earlier invitees, without the identity's own address. */
  invitees: number;
  what: 'changed' | 'moved' | 'cancelled' | 'restored';
  /** New invitees, who are mailed an invitation whatever is chosen. */
  added?: number;
  /** Removed invitees, who are mailed only on request. */
  removed?: number;
  /** True if all dates of a series change. */
  isSeries?: boolean;
  /** Label of the button that cancels, if "Keep editing" or the like does not fit. */
  stayLabel?: string;
}

const happened = { changed: 'was changed', moved: 'was moved', cancelled: 'is cancelled', restored: 'takes place after all' };
const quietLabels = {
  changed: 'Save without mailing',
  moved: 'Move without mailing',
  cancelled: 'Cancel without mailing',
  restored: 'Restore without mailing',
};
const stayLabels = { changed: 'Keep editing', moved: 'Move it back', cancelled: 'Keep it', restored: 'Leave it' };

/** True if a question is needed: people could be mailed, or dragging one date moves all of them. */
export const isQuestion = ({ invitees, removed = 0, what, isSeries }: MailQuestion) =>
  invitees + removed > 0 || (what === 'moved' && isSeries === true);

const willBeMailed = (count: number, noun: string) => `${counted(count, noun)} will be mailed`;

function notifyLabel({ what, isSeries }: MailQuestion, mailedCount: number): string | null {
  if (mailedCount === 0) return null;
  if (what === 'moved' && isSeries) return `Move all and notify ${mailedCount}`;
  if (what === 'cancelled') return `Cancel and notify ${mailedCount}`;
  if (what === 'restored') return `Restore and notify ${mailedCount}`;
  return mailedCount === 1 ? 'Notify 1 invitee' : `Notify all ${mailedCount}`;
}

/** The question's text; each button names what it does. */
export function questionLabels(question: MailQuestion) {
  const { title, invitees, what, added = 0, removed = 0, isSeries = false, stayLabel } = question;
  const movesSeries = what === 'moved' && isSeries;
  const told = invitees + removed;
  const people = counted(invitees, 'invitee');
  const of = `“${title.trim() || 'Untitled'}”`;
  const sentences = [
    movesSeries && `${of} repeats. Moving this date moves every date of the series by as much, past ones included.`,
    invitees > 0 && what === 'cancelled'
      ? `${isSeries ? 'All dates of the series stay' : 'It stays'} in the calendar, struck through. ${people} can be mailed a cancellation.`
      : invitees > 0 && `${people} can be mailed that ${of} ${happened[what]}.`,
    removed > 0 && `${counted(removed, 'removed invitee')} can be mailed a cancellation.`,
    added > 0 && `${willBeMailed(added, 'new invitee')} an invitation in any case.`,
  ];
  return {
    title: movesSeries ? 'Move the whole series?' : what === 'cancelled' ? `Cancel ${of}?` : 'Tell the invitees?',
    description: sentences.filter(Boolean).join(' '),
    /** Null if no one could be notified. */
    notify: notifyLabel(question, told),
    quiet: movesSeries ? (told === 0 ? 'Move all dates' : 'Move all without mailing') : quietLabels[what],
    stay: stayLabel ?? stayLabels[what],
  };
}
