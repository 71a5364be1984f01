import { hash } from 'node:crypto';
import type { Version } from '../db/record-version';
import { publicUrl } from '../env';
import { AppError } from '../errors';
import { oncePerProcess } from '../process-globals';
import { productVersion } from '../product-version';

/**
 * Entity tags (RFC 9110, section 8.8.3). That of a record is its revision, and after a dot what else its answer depends on: clients
 * that read notice any difference, those that change it only one of the record itself (docs/adr/0034).
 */

/** The tag of a record's answer, such as `"7.Yk3dQ0mB2c"`. */
export function versionTag({ revision, updatedAt, others }: Version): string {
  return `"${revision}.${digest(JSON.stringify([shape(), updatedAt, others])).slice(0, 10)}"`;
}

/** The version of an answer. @throws Error for one that has no revision */
export function versionIn(answer: unknown, { others }: { others?(answer: unknown): unknown } = {}): Version {
  const record = recordIn(answer, 2);
  if (!record) throw new Error('The answer of a record has its revision.');
  const { revision, updatedAt = null } = record;
  return { revision, updatedAt, others: others?.(answer) };
}

/** The record of an answer: itself, or nested (`{ success, data: { post } }`). */
function recordIn(value: unknown, depth: number): (Pick<Version, 'revision'> & Partial<Version>) | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  if ('revision' in value) return value as Version;
  if (depth === 0) return null;
  for (const part of Object.values(value)) {
    const record = recordIn(part, depth - 1);
    if (record) return record;
  }
  return null;
}

/** The tag of any other answer, such as a list: 132 bits. */
export function bodyTag(body: string): string {
  return `"${digest(body).slice(0, 22)}"`;
}

/** Other versions answer the same record with other fields, or at another address. */
function shape(): string {
  return oncePerProcess('answer-shape', () => `${productVersion()} ${publicUrl()}`);
}

function digest(text: string): string {
  return hash('sha256', text, 'base64url');
}

/** The revision that a tag of If-Match names, as text. A compressed response's tag is weak, but just as precise. */
function revisionIn(tag: string): string {
  const [, revision = ''] = /^(?:W\/)?"(\d+)(?:\.[\w-]*)?"$/.exec(tag.trim()) ?? [];
  return revision;
}

/**
 * Refuses to change a record that has changed since its author read it (RFC 9110, section 13.1.1).
 * @param ifMatch the header: ETags of its GET, or quoted revisions
 * @param revision the current one; null if there is no such record
 * @throws AppError precondition_failed
 */
export function requireMatch(ifMatch: string, revision: number | null): void {
  const isCurrent = (tag: string) => revisionIn(tag) === String(revision);
  if (revision !== null && (ifMatch.trim() === '*' || ifMatch.split(',').some(isCurrent))) return;
  throw stale();
}

/** @param tag the record's current one, if there is such a record */
export function stale(tag: string | null = null): AppError {
  return new AppError('precondition_failed', 'It has changed since you read it. Read it again, then decide.', {
    ...(tag === null ? {} : { headers: { ETag: tag } }),
  });
}
