import { hash } from 'node:crypto';
import { AppError } from '@/server/platform/errors';
import { isUnchanged } from '../http/if-none-match';

/**
 * Entity tags (RFC 9110, section 8.8.3) of single resources, computed from the response. Fields that change automatically (an
 * agent's statistics) form a separate part after a dot: it changes the tag for readers, but does not block writers.
 */

/** A tag of 132 bits, plus 60 if the resource has volatile fields. */
export function entityTagOf(output: unknown, body: string, volatile: readonly string[] = []): string {
  if (volatile.length === 0) return `"${digest(body).slice(0, 22)}"`;
  const volatileKeys = new Set(volatile);
  const stable = JSON.stringify(output, (key, value: unknown) => (volatileKeys.has(key) ? undefined : value));
  return `"${digest(stable).slice(0, 22)}.${digest(body).slice(0, 10)}"`;
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** The text of a tag. A compressed response's tag is weak, but just as precise. */
function opaqueOf(tag: string): string {
  return tag.trim().replace(/^W\//, '').replace(/^"|"$/g, '');
}

/** The part without volatile fields. */
function stablePart(opaque: string): string {
  return opaque.split('.', 1)[0] ?? '';
}

/**
 * Refuses to change a resource that differs from what its author has read (RFC 9110, section 13.1.1). A tag is either the ETag
 * of a GET, or the record's version: the dashboard knows the version of every record it shows, but no headers.
 * @param ifMatch the header
 * @param current the current response of a GET; null if the resource does not exist
 * @param volatile as in `entityTagOf`
 * @throws AppError precondition_failed, with the current tag if there is one
 */
export function requireMatch(ifMatch: string, current: unknown, volatile: readonly string[] = []): void {
  const tag = current === null ? null : entityTagOf(current, JSON.stringify(current), volatile);
  if (tag !== null) {
    const version = versionOf(current) ?? tag;
    // A version has to be quoted: an empty header, or a comma at its end, names nothing.
    const isCurrent = (each: string) =>
      each.trim() === `"${version}"` || stablePart(opaqueOf(each)) === stablePart(opaqueOf(tag));
    if (ifMatch.trim() === '*' || ifMatch.split(',').some(isCurrent)) return;
  }
  throw new AppError('precondition_failed', 'It has changed since you read it. Read it again, then decide.', {
    ...(tag === null ? {} : { headers: { ETag: tag } }),
  });
}

/** The response's `revision`, or else `updatedAt`; empty for a record that was never changed, null without a version. */
function versionOf(answer: unknown): string | null {
  const record = recordIn(answer, 2);
  return record && String(record.revision ?? record.updatedAt ?? '');
}

interface Versioned {
  revision?: number;
  updatedAt: string | null;
}

/** The record of a response: itself, or nested (`{ success, data: { post } }`). */
function recordIn(value: unknown, depth: number): Versioned | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  if ('updatedAt' in value) return value as Versioned;
  if (depth === 0) return null;
  for (const part of Object.values(value)) {
    const record = recordIn(part, depth - 1);
    if (record) return record;
  }
  return null;
}

/** True if the client already has this state. */
export function hasCurrentTag(ifNoneMatch: string | null, tag: string): boolean {
  return isUnchanged(ifNoneMatch, tag);
}
