import pg from 'pg';
import { migrate } from '@/server/platform/db/migrate';
import { createDatabase, startTestPostgres } from '@/server/testing/postgres';
import { differences } from './migration/catalog';
import { migrationsDirectory, readCommittedSchema, readSchema, writeMigration } from './migration/history';
import { diffDatamodels } from './migration/schema-engine';

/**
 * `npm run migration -- create NAME [--empty]`: writes the migration from the committed prisma/schema to the current one,
 * offline. `npm run migration -- check`: fails if prisma/schema and prisma/migrations build different databases.
 */

const usage = 'Usage: npm run migration -- create NAME [--empty] | check';

async function create(title: string | undefined, empty: boolean): Promise<void> {
  if (!title || !/^[a-z][a-z0-9_]*$/.test(title)) throw new Error(`The name is written like add_customer_phone. ${usage}`);
  const sql = await diffDatamodels(readCommittedSchema(), await readSchema());
  if (sql === '' && !empty) throw new Error('prisma/schema has not changed. Add --empty for a migration written by hand.');
  const name = await writeMigration(title, sql);
  console.log(`Wrote prisma/migrations/${name}. Read it, add what the Prisma schema can't say, and run the check.`);
}

/** Builds one database from the schema and one from the migrations, and compares them. */
async function compareDatabases(): Promise<string[]> {
  const postgres = await startTestPostgres();
  const clients: pg.Client[] = [];
  const open = async (name: string) => {
    const client = new pg.Client({ connectionString: await createDatabase(postgres.url, name) });
    await client.connect();
    clients.push(client);
    return client;
  };
  try {
    const [fromSchema, fromMigrations] = [await open('from_schema'), await open('from_migrations')];
    await fromSchema.query(await diffDatamodels(null, await readSchema()));
    const { database, host, port, user, password } = fromMigrations;
    await migrate(`postgres://${user}:${password}@${host}:${port}/${database}`, { directory: migrationsDirectory });
    return await differences(fromSchema, fromMigrations);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
    await postgres.stop();
  }
}

async function check(): Promise<void> {
  const found = await compareDatabases();
  if (found.length > 0) {
    throw new Error(
      `prisma/schema and the migrations build different databases. Run: npm run migration -- create NAME\n  ${found.join('\n  ')}`,
    );
  }
  console.log('Migrations and schema agree.');
}

async function main([command, ...rest]: string[]): Promise<void> {
  if (command === 'create') {
    const title = rest.find((argument) => !argument.startsWith('--'));
    return create(title, rest.includes('--empty'));
  }
  if (command === 'check') return check();
  throw new Error(usage);
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
