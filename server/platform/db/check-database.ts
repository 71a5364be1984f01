import type pg from 'pg';
import { ConfigurationError } from '../env';
import { log } from '../log';

interface Facts {
  encoding: string;
  /** Of the collation rules that the database was made with, and of those that the system has now; null where none has a version. */
  recorded: string | null;
  actual: string | null;
}

/**
 * Checks that a database keeps text as we need it.
 * @throws ConfigurationError unless its encoding is UTF-8
 */
export async function checkDatabase(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<Facts>(
    `SELECT pg_encoding_to_char(encoding) AS encoding, datcollversion AS recorded, pg_database_collation_actual_version(oid) AS actual
      FROM pg_database WHERE datname = current_database()`,
  );
  const [facts] = rows;
  if (facts && facts.encoding !== 'UTF8') {
    throw new ConfigurationError(
      `The database has the encoding ${facts.encoding}. Create one with: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`,
    );
  }
  if (facts && facts.recorded !== facts.actual) {
    const { recorded, actual } = facts;
    const todo = 'REINDEX DATABASE, then ALTER DATABASE … REFRESH COLLATION VERSION';
    log().warn(
      { recorded, actual, todo },
      'the collation rules of the system have changed: searches may miss rows until indexes are rebuilt',
    );
  }
}
