import type { EscalationChannel, EscalationRoute } from './escalation.schema';

/**
 * What an agent's escalation routes mean: which of them are sound, who is reached on which channel, and when. Pure functions, so that
 * the server that acts on routes and the editor that shows them can't disagree. Source: the specification's "HITL route", contract 5.
 */

/** Why a route can't be taken: which one, which of its fields, and what is wrong with it. */
export interface RouteProblem {
  index: number;
  /** Dotted below the route, e.g. `contactInfo.phone`. */
  field: string;
  message: string;
}

type Checked = Pick<EscalationRoute, 'level' | 'channels' | 'contactInfo'>;

function duplicateProblems<T>(values: readonly T[], message: (value: T) => string): { position: number; message: string }[] {
  const problems: { position: number; message: string }[] = [];
  values.forEach((value, position) => {
    if (values.indexOf(value) < position) problems.push({ position, message: message(value) });
  });
  return problems;
}

/** What each channel needs beyond what the owner's fallback provides: e-mail always reaches the owner, in_app needs nothing. */
const required: Partial<Record<EscalationChannel, { field: 'phone' | 'slack'; message: string }>> = {
  sms: { field: 'phone', message: 'is required for the channel sms' },
  slack: { field: 'slack', message: 'is required for the channel slack' },
};

/** Everything that is wrong with a set of routes whose parts have the right types; empty for one that can be stored. */
export function routeProblems(routes: readonly Checked[]): RouteProblem[] {
  const problems: RouteProblem[] = duplicateProblems(
    routes.map(({ level }) => level),
    (level) => `is used twice: ${level}`,
  ).map(({ position, message }) => ({ index: position, field: 'level', message }));
  routes.forEach(({ channels, contactInfo }, index) => {
    for (const { position, message } of duplicateProblems(channels, (channel) => `is given twice: ${channel}`)) {
      problems.push({ index, field: `channels.${position}`, message });
    }
    for (const channel of new Set(channels)) {
      const need = required[channel];
      if (need && contactInfo[need.field] === null) {
        problems.push({ index, field: `contactInfo.${need.field}`, message: need.message });
      }
    }
  });
  return problems;
}

/** Routes in the order in which they are tried. */
export function byLevel<T extends { level: number }>(routes: readonly T[]): T[] {
  return routes.toSorted((a, b) => a.level - b.level);
}

/** One way in which a level reaches somebody. */
export interface Reach {
  channel: EscalationChannel;
  /** Where the message goes: an address, a number, a Slack name; null for the dashboard and for a user's own address. */
  target: string | null;
  /** Whose address that is. */
  via: 'contact' | 'user' | 'owner' | 'dashboard';
}

/**
 * Who is reached by a route, in the order of its channels. E-mail goes to the route's own address, else to its user, else to the
 * owner. A channel without what it needs reaches nobody and is left out, so an empty answer means: nobody is reached.
 */
export function reachOf(route: Pick<EscalationRoute, 'channels' | 'contactInfo' | 'toUserId'>, ownerEmail: string): Reach[] {
  const { email, phone, slack } = route.contactInfo;
  const reach: Reach[] = [];
  for (const channel of new Set(route.channels)) {
    if (channel === 'email') {
      if (email !== null) reach.push({ channel, target: email, via: 'contact' });
      else if (route.toUserId !== null) reach.push({ channel, target: null, via: 'user' });
      else reach.push({ channel, target: ownerEmail, via: 'owner' });
    }
    if (channel === 'sms' && phone !== null) reach.push({ channel, target: phone, via: 'contact' });
    if (channel === 'slack' && slack !== null) reach.push({ channel, target: slack, via: 'contact' });
    if (channel === 'in_app') reach.push({ channel, target: null, via: 'dashboard' });
  }
  return reach;
}

/** What happens at one moment of an escalation that nobody answers. */
export interface EscalationStep {
  /** Minutes after the agent has asked for a person. */
  atMinutes: number;
  /** The route that fires; null for the owner at the end. */
  route: EscalationRoute | null;
  reach: Reach[];
}

/**
 * Who is reached when, if nobody answers: each level fires when the one before it has waited its time, and the owner is told by
 * e-mail when the last one has (at once where there are no routes).
 */
export function escalationTimeline(routes: readonly EscalationRoute[], ownerEmail: string): EscalationStep[] {
  const steps: EscalationStep[] = [];
  let atMinutes = 0;
  for (const route of byLevel(routes)) {
    steps.push({ atMinutes, route, reach: reachOf(route, ownerEmail) });
    atMinutes += route.timeoutMins;
  }
  steps.push({ atMinutes, route: null, reach: [{ channel: 'email', target: ownerEmail, via: 'owner' }] });
  return steps;
}

/** True where the owner's e-mail address stands in for a contact: there are no routes, or one that mails has no address of its own. */
export function usesOwnerFallback(routes: readonly EscalationRoute[]): boolean {
  return routes.length === 0 || routes.some((route) => reachOf(route, '').some(({ via }) => via === 'owner'));
}
