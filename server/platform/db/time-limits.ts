/** Limits in milliseconds that PostgreSQL keeps for one kind of work; 0 is none. */
interface TimeLimits {
  /** Longest statement. */
  statement: number;
  /** Longest wait for one lock. */
  lock: number;
  /** Longest pause inside a transaction, after which its connection is closed and its locks are free. */
  idle: number;
}

/**
 * What each kind of work may take. Those of requests are set on every connection of the pool. A transaction that waited for a
 * lock gives its connection back and tries again until `patience` is over (transaction.ts), so a held row occupies no connection
 * for longer than `lock`. That is more than PostgreSQL's `deadlock_timeout` (one second), so that deadlocks are still found.
 */
export const timeLimits = {
  request: { statement: 15_000, lock: 1_500, idle: 15_000 },
  job: { statement: 300_000, lock: 1_500, idle: 60_000 },
  /** Short as well: while a migration waits for a table's lock, all later statements on this table wait behind it. */
  migration: { statement: 0, lock: 500, idle: 0 },
  /** Backups, restores, and waiting for a migration on another server. */
  unlimited: { statement: 0, lock: 0, idle: 0 },
} as const satisfies Record<string, TimeLimits>;

export type WorkKind = keyof typeof timeLimits;

/** Milliseconds until work gives up that finds what it needs locked. */
export const patience = { request: 5_000, job: 30_000, migration: 120_000 } as const;

/** Statements that apply the limits of `kind` to a connection, or to the open transaction only. */
export function limitStatements(kind: WorkKind, scope: 'SESSION' | 'LOCAL' = 'SESSION'): string {
  const { statement, lock, idle } = timeLimits[kind];
  return [
    `SET ${scope} statement_timeout = ${statement}`,
    `SET ${scope} lock_timeout = ${lock}`,
    `SET ${scope} idle_in_transaction_session_timeout = ${idle}`,
  ].join('; ');
}
