import type { Actor, ApiKeyActor } from '../actor';
import { AppError } from '../errors';
import { hasScope, type Permission } from './scopes.schema';
import { scopesOfRole, teamRoles } from './team-roles.schema';

/** What a procedure says about keys and members that call it. */
export interface AccessRules {
  /** What a key needs, and a member unless there is a `roleScope`. */
  scope?: Permission;
  /** What the role of a member has to include where that is less, because the service decides by the resource. */
  roleScope?: Permission;
  notForAgents?: true;
  /** True if a member may call it without the second factor that the business requires. */
  withoutTwoFactor?: true;
}

/** The scopes of an actor; the installation itself has all. */
function scopesOf(actor: Actor): readonly string[] {
  switch (actor.kind) {
    case 'apiKey':
      return actor.scopes;
    case 'session':
      return scopesOfRole(actor.role);
    case 'system':
      return ['*'];
  }
}

/** True if this actor may do what the scope stands for. */
export function isPermitted(actor: Actor, required: Permission): boolean {
  return hasScope(scopesOf(actor), required);
}

/** The error for a member whose role does not include a scope. */
export function insufficientRole(required: Permission): AppError {
  const roles = teamRoles.filter((role) => hasScope(scopesOfRole(role), required));
  const who = roles.length === 1 ? 'an owner' : 'an owner or admin';
  return new AppError('insufficient_role', `Your role doesn’t allow this. Ask ${who}.`, { details: { required, roles } });
}

/**
 * Requires a scope, for what only some calls of an operation do.
 * @throws AppError insufficient_scope for a key, insufficient_role for a member
 */
export function requireScope(actor: Actor, required: Permission): void {
  if (isPermitted(actor, required)) return;
  if (actor.kind === 'session') throw insufficientRole(required);
  throw new AppError('insufficient_scope', `This key lacks the scope ${required}.`, { details: { required } });
}

/** What these rules require of this actor. A procedure that declares no scope needs full access. */
function requiredOf(actor: Actor, { scope = '*', roleScope }: AccessRules): Permission {
  return (actor.kind === 'session' && roleScope) || scope;
}

/** True if this actor may do what these rules are about. */
export function hasAccess(actor: Actor, rules: AccessRules): boolean {
  if (rules.notForAgents && actor.kind === 'apiKey' && actor.agent) return false;
  return isPermitted(actor, requiredOf(actor, rules));
}

/** @throws AppError agent_paused unless the key's agent is at work */
function requireActiveAgent({ agent }: ApiKeyActor): void {
  if (agent === null || agent.status === 'active') return;
  throw new AppError('agent_paused', `The agent of this key is ${agent.status ?? 'gone'}.`);
}

function twoFactorRequired(): AppError {
  return new AppError(
    'two_factor_required',
    'This business requires two-factor authentication. Turn it on for your account first.',
  );
}

/** For what only some calls of an operation do. @throws AppError not_for_agents for the key of an agent */
export function refuseAgents(actor: Actor): void {
  if (actor.kind !== 'apiKey' || !actor.agent) return;
  throw new AppError('not_for_agents', 'The key of an agent may not do this. Use a key of the business, or the dashboard.');
}

/**
 * Requires that an actor may call a procedure of an identity at all.
 * @throws AppError agent_paused, not_for_agents, insufficient_scope, insufficient_role, two_factor_required
 */
export function requireAccess(actor: Actor, rules: AccessRules): void {
  if (actor.kind === 'apiKey') requireActiveAgent(actor);
  if (actor.kind === 'session' && actor.lacksTwoFactor && !rules.withoutTwoFactor) throw twoFactorRequired();
  if (rules.notForAgents) refuseAgents(actor);
  requireScope(actor, requiredOf(actor, rules));
}
