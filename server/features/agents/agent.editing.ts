import type { Persona, PersonaInput } from './agent.schema';
import { editableFields } from './agent.schema';

const editable = new Set<string>(editableFields);
/** Of the request itself rather than the agent: the path's parameter, and the identity that any body may name. */
const addressing = new Set(['agentId', 'identityId']);
const groups = new Set(['persona', 'config']);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The keys of a PATCH body that may not be changed, dotted as `editableFields` has them: `config.model` for one inside `config`.
 * Source: contract section 5.
 */
export function notEditableKeys(body: unknown): string[] {
  if (!isObject(body)) return [];
  const keys = Object.entries(body).flatMap(([key, value]) => {
    if (addressing.has(key)) return [];
    if (!groups.has(key)) return [key];
    const inner = isObject(value) ? Object.keys(value) : [];
    // A persona of the wrong type is for the schema to refuse; config is refused whatever is in it.
    return inner.length === 0 && key === 'config' ? [key] : inner.map((name) => `${key}.${name}`);
  });
  return keys.filter((key) => !editable.has(key));
}

/** A persona after a change: merged key by key, null removes a key. */
export function mergePersona(stored: Persona, change: PersonaInput): Persona {
  const merged = { ...stored, ...change };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null && value !== undefined));
}
