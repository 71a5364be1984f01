import type { Presence } from '@/server/features/conversations/conversation.schema';

type Others = Presence['others'];

/** How many people are named before the rest becomes a number. */
const namedMaximum = 2;

/** "Mara", "Mara and Tom", "Mara, Tom and 2 others". */
function namesOf(others: Others): string {
  const names = others.slice(0, namedMaximum).map(({ name }) => name);
  const more = others.length - names.length;
  if (more > 0) names.push(more === 1 ? '1 other' : `${more} others`);
  const last = names.pop() ?? '';
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`;
}

/** Those who are writing an answer. */
export const answeringOf = (others: Others): Others => others.filter(({ activity }) => activity === 'answering');

/** "Mara is viewing": what others do in a conversation; null if no one does it. */
export function presenceLine(others: Others, activity: Others[number]['activity']): string | null {
  const doing = others.filter((other) => other.activity === activity);
  if (doing.length === 0) return null;
  return `${namesOf(doing)} ${doing.length === 1 ? 'is' : 'are'} ${activity}`;
}
