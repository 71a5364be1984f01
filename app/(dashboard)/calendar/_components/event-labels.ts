import type { EventColor, EventItem } from '@/server/features/calendar/calendar.schema';

/** The fields of an event that its appearance depends on. */
type Look = Pick<EventItem, 'status' | 'recurrence' | 'inviteeCount' | 'agent' | 'location'>;

/** Describes what the grid only draws, for screen readers and on hover: `Tentative, repeats, 3 guests, by Ada`. */
export function eventNotes({ status, recurrence, inviteeCount, agent, location }: Look): string {
  const invitees = inviteeCount === 1 ? '1 guest' : `${inviteeCount} guests`;
  const notes = [
    { confirmed: null, tentative: 'tentative', cancelled: 'canceled' }[status],
    recurrence === 'none' ? null : 'repeats',
    inviteeCount === 0 ? null : invitees,
    location.trim() === '' ? null : `at ${location.trim()}`,
    agent && `by ${agent.name}`,
  ];
  const text = notes.filter((note) => note !== null).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** See event-colors.css. */
export const colorClasses: Record<EventColor, string> = {
  blue: 'cal-blue',
  green: 'cal-green',
  red: 'cal-red',
  purple: 'cal-purple',
  orange: 'cal-orange',
};
