import { hash } from 'node:crypto';
import { AppError } from '@/server/platform/errors';
import { isUnchanged } from '../http/conditions';

/**
 * Entity tags (RFC 9110, section 8.8.3) of single resources, made from what is answered. What changes by itself (an agent's statistics)
 * is a part of its own behind a dot: it makes a new tag for readers, and does not stand in the way of writers.
 */

/** A tag of 132 bits, and of another 60 where the resource has a part that changes by itself. */
export function entityTagOf(output: unknown, body: string, volatile: readonly string[] = []): string {
  if (volatile.length === 0) return `"${digest(body).slice(0, 22)}"`;
  const apart = new Set(volatile);
  const steady = JSON.stringify(output, (key, value: unknown) => (apart.has(key) ? undefined : value));
  return `"${digest(steady).slice(0, 22)}.${digest(body).slice(0, 10)}"`;
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** The text of a tag. A compressed answer's is weak, and says no less. */
function opaqueOf(tag: string): string {
  return tag.trim().replace(/^W\//, '').replace(/^"|"$/g, '');
}

/** Without what changes by itself. */
function steadyPart(opaque: string): string {
  return opaque.split('.', 1)[0] ?? '';
}

/**
 * Refuses a change of a resource that is no longer as its author has read it (RFC 9110, section 13.1.1). A tag names either what a GET
 * answered with it, or the record's version: the dashboard has that of every record it shows, and no headers.
 *
 * @param ifMatch the header
 * @param current what a GET of the resource answers now; null where it does not exist (any more)
 * @param volatile as in `entityTagOf`
 * @throws AppError precondition_failed, with the current tag where there is one
 */
export function requireMatch(ifMatch: string, current: unknown, volatile: readonly string[] = []): void {
  const tag = current === null ? null : entityTagOf(current, JSON.stringify(current), volatile);
  if (tag !== null) {
    const version = versionOf(current);
    const names = (text: string) => text === version || steadyPart(text) === steadyPart(opaqueOf(tag));
    if (ifMatch.trim() === '*' || ifMatch.split(',').map(opaqueOf).some(names)) return;
  }
  throw new AppError('precondition_failed', 'It has changed since you read it. Read it again, then decide.', {
    ...(tag === null ? {} : { headers: { ETag: tag } }),
  });
}

/** The `revision`, or else `updatedAt`, of what is answered; empty for a record that was never changed, null for what has no version. */
function versionOf(answer: unknown): string | null {
  const record = recordIn(answer, 2);
  return record && String(record.revision ?? record.updatedAt ?? '');
}

interface Versioned {
  revision?: number;
  updatedAt: string | null;
}

/** The record of an answer: itself, or what it wraps (`{ success, data: { post } }`). */
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

/** True where the reader has this very state already. */
export function isKnown(ifNoneMatch: string | null, tag: string): boolean {
  return isUnchanged(ifNoneMatch, tag);
}
