import type { Persona, PersonaInput } from './agent.schema';
import { editableFields } from './agent.schema';

const editable = new Set<string>(editableFields);
/** Keys of the request rather than the agent: the path parameter, and the identity that every body may name. */
const addressing = new Set(['agentId', 'identityId']);
const groups = new Set(['persona', 'config']);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The keys of a PATCH body that may not be changed, dotted as in `editableFields`: `config.model` for one inside `config`.
 * Source: contract section 5.
 */
export function notEditableKeys(body: unknown): string[] {
  if (!isObject(body)) return [];
  const keys = Object.entries(body).flatMap(([key, value]) => {
    if (addressing.has(key)) return [];
    if (!groups.has(key)) return [key];
    const inner = isObject(value) ? Object.keys(value) : [];
    // The schema rejects a persona of the wrong type; config is rejected whatever it contains.
    return inner.length === 0 && key === 'config' ? [key] : inner.map((name) => `${key}.${name}`);
  });
  return keys.filter((key) => !editable.has(key));
}

/** A persona after a change: merged key by key; null removes a key. */
export function mergePersona(stored: Persona, change: PersonaInput): Persona {
  const merged = { ...stored, ...change };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null && value !== undefined));
}
