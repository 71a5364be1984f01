import type { EscalationChannel, EscalationRoute } from './escalation.schema';

/**
 * Meaning of escalation routes: which are valid, and who is reached on which channel and when. Pure functions, shared by the
 * server that executes routes and the editor that shows them, so the two can't disagree. Source: the specification's "HITL
 * route", contract 5.
 */

/** Why a route is rejected: which route, which of its fields, and the problem. */
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

/** Contact data each channel requires. The owner's fallback covers email, and in_app needs nothing. */
const required: Partial<Record<EscalationChannel, { field: 'phone' | 'slack'; message: string }>> = {
  sms: { field: 'phone', message: 'is required for the channel sms' },
  slack: { field: 'slack', message: 'is required for the channel slack' },
};

/** All problems of a set of routes whose fields have the right types; empty if it can be stored. */
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

/** One channel by which a level reaches a person. */
export interface Reach {
  channel: EscalationChannel;
  /** An address, a number, a Slack name; null for the dashboard and for a user's own address. */
  target: string | null;
  /** The source of that address. */
  via: 'contact' | 'user' | 'owner' | 'dashboard';
}

/**
 * The recipients of a route, in the order of its channels. Email goes to the route's own address, else to its user, else to the
 * owner. A channel without its contact data is left out, so an empty result means that nobody is reached.
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

/** One moment of an escalation without a response. */
export interface EscalationStep {
  /** Minutes after the agent's request for a person. */
  atMinutes: number;
  /** The route that fires; null for the owner at the end. */
  route: EscalationRoute | null;
  reach: Reach[];
}

/**
 * Who is reached when, if nobody responds: each level fires after the timeout of the previous one, and the owner gets an email
 * after the last one (immediately if there are no routes).
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

/**
 * True if the owner's email address is the fallback for a contact: there are no routes, or one with email has no address of its
 * own.
 */
export function usesOwnerFallback(routes: readonly EscalationRoute[]): boolean {
  return routes.length === 0 || routes.some((route) => reachOf(route, '').some(({ via }) => via === 'owner'));
}
