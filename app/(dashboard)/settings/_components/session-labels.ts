import type { SessionRecord } from '@/server/features/accounts/session.schema';

type Browser = Pick<SessionRecord, 'browser' | 'system'>;

/** The name of a session: "Firefox on Windows". */
export function sessionName({ browser, system }: Browser): string {
  if (browser !== null && system !== null) return `${browser} on ${system}`;
  return browser ?? (system === null ? 'Unknown browser' : `A browser on ${system}`);
}

const phones = new Set(['iPhone', 'iPad', 'Android']);

/** True for a phone or tablet. */
export function isPhone({ system }: Pick<SessionRecord, 'system'>): boolean {
  return system !== null && phones.has(system);
}

/** "1 browser", "3 browsers". */
export function browsersLabel(count: number): string {
  return count === 1 ? '1 browser' : `${count} browsers`;
}
