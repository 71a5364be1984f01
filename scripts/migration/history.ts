import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Datamodel } from './schema-engine';

const schemaDirectory = path.resolve('prisma/schema');
export const migrationsDirectory = path.resolve('prisma/migrations');
/** The datamodel a migration leads to, kept beside its SQL: what the next migration starts from. */
const snapshotFile = 'schema.prisma';

/** `prisma/schema/*.prisma`, by name. */
export async function readSchema(): Promise<Datamodel> {
  const names = (await readdir(schemaDirectory)).filter((name) => name.endsWith('.prisma')).sort();
  return Promise.all(
    names.map(async (name) => ({ path: name, content: await readFile(path.join(schemaDirectory, name), 'utf8') })),
  );
}

/** Names of the migrations, oldest first. */
export async function listMigrations(): Promise<string[]> {
  const entries = await readdir(migrationsDirectory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/** The datamodel after `migration`. */
export async function readSnapshot(migration: string): Promise<Datamodel> {
  const content = await readFile(path.join(migrationsDirectory, migration, snapshotFile), 'utf8');
  return [{ path: snapshotFile, content }];
}

function snapshotOf(schema: Datamodel): string {
  return schema
    .map(({ content }) => content.trim())
    .join('\n\n')
    .concat('\n');
}

/** Adds a migration after all others and returns its name. */
export async function writeMigration(title: string, sql: string, schema: Datamodel): Promise<string> {
  const last = (await listMigrations()).at(-1)?.slice(0, 14) ?? '';
  const now = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const stamp = now > last ? now : String(BigInt(last) + 1n);
  const name = `${stamp}_${title}`;
  await mkdir(path.join(migrationsDirectory, name));
  await writeFile(path.join(migrationsDirectory, name, 'migration.sql'), sql);
  await writeFile(path.join(migrationsDirectory, name, snapshotFile), snapshotOf(schema));
  return name;
}
