import { vi } from 'vitest';
import { pool } from '@/server/platform/db/pool';

export interface WatchedStatements {
  /** Names of the statements so far, in order; the text of one that has no name. */
  names(): string[];
  end(): void;
}

/**
 * Watches the statements that the pool is given from now on. Without those that tell other servers of events, which come a moment after
 * the change that a test made before.
 */
export function watchStatements(): WatchedStatements {
  const query = vi.spyOn(pool(), 'query');
  const nameOf = (statement: unknown) => {
    if (typeof statement === 'string') return statement;
    const { name, text } = statement as { name?: string; text: string };
    return name ?? text;
  };
  return {
    names: () => query.mock.calls.map(([statement]) => nameOf(statement)).filter((name) => name !== 'events-notify'),
    end: () => query.mockRestore(),
  };
}
