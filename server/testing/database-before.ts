import pg from 'pg';
import { afterEach, beforeEach, inject } from 'vitest';
import { migrate } from '@/server/platform/db/migrate';
import { createDatabase, dropDatabase } from './postgres';

/** A database as it was before a migration, for a test of what that makes of it. */
export interface DatabaseBefore {
  url: string;
  client: pg.Client;
}

/** Gives each test an empty database that lacks this migration and all later ones. */
export function withDatabaseBefore(migration: string): DatabaseBefore {
  const database = { url: '' } as DatabaseBefore;
  beforeEach(async () => {
    database.url = await createDatabase(inject('postgresUrl'));
    await migrate(database.url, { isWanted: (name) => name < migration });
    database.client = new pg.Client({ connectionString: database.url });
    database.client.on('error', () => undefined);
    await database.client.connect();
  });
  afterEach(async () => {
    await database.client.end();
    await dropDatabase(inject('postgresUrl'), database.url);
  });
  return database;
}
