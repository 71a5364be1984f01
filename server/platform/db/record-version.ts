import { pool } from './pool';
import { type RowReader, rows, type Statement } from './sql';

/** What the answer of a record's GET is made of (docs/adr/0034). */
export interface Version {
  /** Raised with each change of the record and its parts. */
  revision: number;
  /** Tells revisions apart that were counted twice, since a backup was restored in between. */
  updatedAt: string | null;
  /** What the answer shows of other records. */
  others?: unknown;
}

/** The revision that a statement returns, which locks its row; null if there is none. */
export async function lockRevision(db: RowReader, statement: Statement): Promise<number | null> {
  const [row] = await rows<{ revision: number }>(db, statement);
  return row?.revision ?? null;
}

/** The version that a statement returns; null if there is none. */
export async function readVersion(statement: Statement): Promise<Version | null> {
  const [row] = await rows<Version & { revision: number }>(pool(), { ...statement, isByKey: true, isoTimes: true });
  return row ?? null;
}
