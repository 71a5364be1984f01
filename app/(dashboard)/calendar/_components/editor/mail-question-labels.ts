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

const happened = { changed: 'was changed', moved: 'was moved', cancelled: 'is canceled', restored: 'is back on' };
const quietLabels = {
  changed: 'Don’t notify',
  moved: 'Don’t notify',
  cancelled: 'Cancel without notifying',
  restored: 'Restore without notifying',
};
const stayLabels = { changed: 'Keep editing', moved: 'Keep original time', cancelled: 'Keep event', restored: 'Keep canceled' };

/** True if a question is needed: people could be mailed, or dragging one date moves all of them. */
export const isQuestion = ({ invitees, removed = 0, what, isSeries }: MailQuestion) =>
  invitees + removed > 0 || (what === 'moved' && isSeries === true);

function notifyLabel({ what, isSeries }: MailQuestion, mailedCount: number): string | null {
  if (mailedCount === 0) return null;
  if (what === 'moved' && isSeries) return `Move all and notify ${mailedCount}`;
  if (what === 'cancelled') return `Cancel and notify ${mailedCount}`;
  if (what === 'restored') return `Restore and notify ${mailedCount}`;
  return mailedCount === 1 ? 'Notify 1 guest' : `Notify all ${mailedCount}`;
}

/** The question's text; each button names what it does. */
export function questionLabels(question: MailQuestion) {
  const { title, invitees, what, added = 0, removed = 0, isSeries = false, stayLabel } = question;
  const movesSeries = what === 'moved' && isSeries;
  const told = invitees + removed;
  const people = counted(invitees, 'guest');
  const of = `“${title.trim() || 'Untitled'}”`;
  const sentences = [
    movesSeries && `${of} is a recurring event. All events in the series move by the same amount, including past ones.`,
    invitees > 0 && what === 'cancelled'
      ? `${isSeries ? 'All events in the series stay' : 'It stays'} on the calendar, crossed out. Email a cancellation to ${people}?`
      : invitees > 0 && `Email ${people} that ${of} ${happened[what]}?`,
    removed > 0 && `Email a cancellation to ${counted(removed, 'removed guest')}?`,
    added > 0 && `${counted(added, 'new guest')} will be emailed an invitation either way.`,
  ];
  return {
    title: movesSeries ? 'Move the whole series?' : what === 'cancelled' ? `Cancel ${of}?` : 'Notify guests?',
    description: sentences.filter(Boolean).join(' '),
    /** Null if no one could be notified. */
    notify: notifyLabel(question, told),
    quiet: movesSeries ? (told === 0 ? 'Move all events' : 'Move all without notifying') : quietLabels[what],
    stay: stayLabel ?? stayLabels[what],
  };
}
