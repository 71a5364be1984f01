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

/** The part of a tag that says what a writer has seen. A compressed answer's is weak, and says no less. */
function seenPart(tag: string): string {
  return tag.trim().replace(/^W\//, '').replace(/^"|"$/g, '').split('.', 1)[0] ?? '';
}

/**
 * Refuses a change of something that is not what its author has seen (RFC 9110, section 13.1.1).
 *
 * @param current the resource's tag; null where there is none (any more)
 * @throws AppError precondition_failed
 */
export function requireMatch(ifMatch: string, current: string | null): void {
  const isMatch =
    current !== null && (ifMatch.trim() === '*' || ifMatch.split(',').some((tag) => seenPart(tag) === seenPart(current)));
  if (isMatch) return;
  throw new AppError('precondition_failed', 'It has changed since you read it. Read it again and decide anew.', {
    ...(current === null ? {} : { headers: { ETag: current } }),
  });
}

/** True where the reader has this very state already. */
export function isKnown(ifNoneMatch: string | null, tag: string): boolean {
  return isUnchanged(ifNoneMatch, tag);
}
