import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { migrate } from '@/server/platform/db/migrate';
import { readTables } from '@/server/platform/db/tables';

/** An installation of an earlier version, for upgrade tests. */

/** The newest migration of that version. */
export const earlierMigration = '20261121400000_calendar';

/** Contents of its stored files: attachments, quarantined mail, pictures. */
export const earlierFiles = Array.from({ length: 7 }, (_, index) => `stored file ${index + 1}`);

/** Migrates an empty database to the schema of that version, and fills every table with rows it wrote. */
export async function makeEarlierDatabase(url: string): Promise<void> {
  await migrate(url, { isWanted: (name) => name <= earlierMigration });
  const rows = await readFile(new URL('earlier-version.sql', import.meta.url), 'utf8');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const names = (await readTables(client)).map(({ name }) => pg.escapeIdentifier(name));
    // The rows include the counts of the triggers.
    const setTriggers = (to: string) => names.map((name) => `ALTER TABLE ${name} ${to} TRIGGER USER`).join(';');
    await client.query(`BEGIN; ${setTriggers('DISABLE')}; ${rows}; ${setTriggers('ENABLE')}; COMMIT`);
  } finally {
    await client.end();
  }
}
