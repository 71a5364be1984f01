import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Datamodel } from './schema-engine';

const schemaDirectory = path.resolve('prisma/schema');
export const migrationsDirectory = path.resolve('prisma/migrations');

/** `prisma/schema/*.prisma`, by name. */
export async function readSchema(): Promise<Datamodel> {
  const names = (await readdir(schemaDirectory)).filter((name) => name.endsWith('.prisma')).sort();
  return Promise.all(
    names.map(async (name) => ({ path: name, content: await readFile(path.join(schemaDirectory, name), 'utf8') })),
  );
}

/** Names of the migrations, oldest first. */
async function listMigrations(): Promise<string[]> {
  const entries = await readdir(migrationsDirectory, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }).trim();
}

/**
 * The datamodel that the migrations lead to: `prisma/schema` at the commit that last changed the migrations.
 *
 * @throws Error if a migration is not committed yet, since its datamodel is unknown then
 */
export function readCommittedSchema(): Datamodel {
  const uncommitted = git('status', '--porcelain', '--', 'prisma/migrations');
  if (uncommitted !== '') throw new Error(`Commit the migrations first, or remove what is new:\n${uncommitted}`);
  const commit = git('log', '-1', '--format=%H', '--', 'prisma/migrations');
  const files = git('ls-tree', '-r', '--name-only', commit, '--', 'prisma/schema').split('\n').sort();
  return files.map((file) => ({ path: path.basename(file), content: git('show', `${commit}:${file}`) }));
}

/** Adds a migration after all others and returns its name. */
export async function writeMigration(title: string, sql: string): Promise<string> {
  const last = (await listMigrations()).at(-1)?.slice(0, 14) ?? '';
  const now = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const stamp = now > last ? now : String(BigInt(last) + 1n);
  const name = `${stamp}_${title}`;
  await mkdir(path.join(migrationsDirectory, name));
  await writeFile(path.join(migrationsDirectory, name, 'migration.sql'), sql);
  return name;
}
