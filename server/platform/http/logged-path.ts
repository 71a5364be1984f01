import { calendarFeedPrefix } from '../../features/calendar/calendar-feed';
import { answerPagePrefix } from '../../features/calendar/rsvp/http';

/** Below these, who knows the address may do what it is for. */
const secretBelow = [answerPagePrefix, calendarFeedPrefix].map((prefix) => `${prefix}/`);

/** The path of a request as the log may have it: no query, and nothing that is a right by itself. */
export function loggedPath(url: string): string {
  const question = url.indexOf('?');
  const path = question < 0 ? url : url.slice(0, question);
  const prefix = secretBelow.find((secret) => path.startsWith(secret));
  return prefix === undefined ? path : `${prefix}…`;
}
