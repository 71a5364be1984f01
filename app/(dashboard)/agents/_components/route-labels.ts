import { type Reach, reachOf, routeProblems } from '@/server/features/agents/escalation';
import type { EscalationChannel, EscalationRoute } from '@/server/features/agents/escalation.schema';
import type { People } from '../../_components/team/people';

/** Labels of the channel chips. */
export const channelLabels: Record<EscalationChannel, string> = {
  email: 'Email',
  sms: 'SMS',
  slack: 'Slack',
  in_app: 'Dashboard',
};

/** Channels that this installation can't send by. They can be stored over the API, for another system that reads the routes. */
export const unavailableChannels: readonly EscalationChannel[] = ['sms', 'slack'];

/** What is missing for the channels that send nothing. */
export function missingChannelsText(missing: readonly EscalationChannel[]): string {
  const labels = missing.map((channel) => channelLabels[channel]);
  const administrator = missing.includes('email') ? ' For email, an administrator sets SMTP_URL.' : '';
  return `${listText(labels)} ${labels.length === 1 ? 'isn’t' : 'aren’t'} set up, so nothing is sent by ${labels.length === 1 ? 'it' : 'them'}.${administrator}`;
}

const ways: Record<EscalationChannel, string> = {
  email: 'by email',
  sms: 'by SMS',
  slack: 'on Slack',
  in_app: 'in the dashboard',
};

const hour = 60;
const day = 24 * hour;

/** Formats minutes: "0 min", "1 h 15 min", "2 days". */
export function formatMinutes(minutes: number): string {
  const days = Math.floor(minutes / day);
  const hours = Math.floor((minutes % day) / hour);
  const rest = minutes % hour;
  const parts = [
    ...(days > 0 ? [`${days} ${days === 1 ? 'day' : 'days'}`] : []),
    ...(hours > 0 ? [`${hours} h`] : []),
    ...(rest > 0 ? [`${rest} min`] : []),
  ];
  return parts.join(' ') || '0 min';
}

/** "a", "a and b", "a, b and c". */
export function listText(parts: readonly string[]): string {
  return [parts.slice(0, -1).join(', '), parts.at(-1) ?? ''].filter(Boolean).join(' and ');
}

/** The channels used: "by email and SMS". */
export function channelsText(reach: readonly Reach[]): string {
  return listText(reach.map(({ channel, via }) => (via === 'owner' ? 'by email to the owner' : ways[channel])));
}

/** The name of the person of a route. Any text is accepted, so the person may be unknown. */
function personOf({ toUserId }: Pick<EscalationRoute, 'toUserId'>, people: People | null): string {
  if (people === null) return `user ${toUserId}`;
  return people.get(toUserId ?? '') ?? 'an unknown person';
}

function targetOf({ target, via }: Reach, route: Pick<EscalationRoute, 'toUserId'>, people: People | null): string {
  if (via === 'user') return personOf(route, people);
  if (via === 'dashboard') return 'in the dashboard';
  return target ?? '';
}

/** The recipients of a route: "ann@quark.example, +4940555012". */
export function targetsOf(
  route: Pick<EscalationRoute, 'toUserId'>,
  reach: readonly Reach[],
  people: People | null = null,
): string {
  return reach.map((one) => targetOf(one, route, people)).join(', ');
}

/** Why the person of a route is not notified; undefined if they are, or before the members are known. */
export function personHint({ toUserId }: Pick<EscalationRoute, 'toUserId'>, people: People | null): string | undefined {
  if (toUserId === null || people === null || people.has(toUserId)) return undefined;
  return 'Not a member of your team, so no one will be notified.';
}

/** The name of a level without a label. */
export const levelName = (level: number, label: string | undefined) => label?.trim() || `Step ${level}`;

/** Why a route reaches no one, and how to fix it; null if it reaches someone. */
export function unreachableReason(route: EscalationRoute, ownerEmail: string): string | null {
  if (reachOf(route, ownerEmail).length > 0) return null;
  if (route.channels.length === 0) return 'Choose at least one channel.';
  const missing = routeProblems([route]).map(({ field }) =>
    field === 'contactInfo.phone' ? 'a phone number' : 'a Slack contact',
  );
  return `No one is notified: enter ${listText(missing)}.`;
}

/** The effect of an empty email address on a route. */
export function emptyEmailHint(route: EscalationRoute, ownerEmail: string, people: People | null = null): string {
  const [mail] = reachOf({ ...route, channels: ['email'], contactInfo: { ...route.contactInfo, email: null } }, ownerEmail);
  return `Defaults to ${mail?.via === 'user' ? personOf(route, people) : ownerEmail}.`;
}

/** The unit after the typed minutes, with the duration in hours or days if that reads better. */
export function waitHint(minutes: number, isLast: boolean): string {
  const next = isLast ? 'Then the owner.' : 'Then the next step.';
  return minutes >= hour ? `${formatMinutes(minutes)}. ${next}` : next;
}
