import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { features } from '@/server/registry';
import type { Finding } from './findings';
import type { ParsedSql } from './parse-sql';
import type { ModelUse } from './row-types';

/** Tables of the platform, with the folders whose SQL may name them. */
const platformTables: Readonly<Record<string, readonly string[]>> = {
  _prisma_migrations: ['platform/db'],
  job_workers: ['platform/jobs'],
  jobs: ['platform/jobs'],
  idempotent_requests: ['platform/operations', 'platform/db', 'features/accounts'],
};

/** The folders below `server/` whose SQL may name a table, its owner first; undefined for a table without an owner. */
export function ownersOf(table: string): readonly string[] | undefined {
  for (const { name, tables = [] } of features) {
    const owned = tables.find(({ names }) => names.includes(table));
    if (owned) return [`features/${name}`, ...(owned.sharedWith ?? [])];
  }
  return platformTables[table];
}

/** SQL that its owner publishes: an exported constant of a `*.sql.ts` file. */
export interface PublishedSql {
  owner: string;
  text: Buffer;
}

/** `features/outbox` of `server/features/outbox/sending.service.ts`. */
function folderOf(file: string): string {
  return file.split('/').slice(1, 3).join('/');
}

/** The exported strings of every `*.sql.ts` below `server/`. */
export async function readPublishedSql(root: string): Promise<PublishedSql[]> {
  const files = readdirSync(path.join(root, 'server'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.sql.ts'),
  );
  const published = files.map(async (file) => {
    const exported: Record<string, unknown> = await import(pathToFileURL(path.join(root, 'server', file)).href);
    const texts = Object.values(exported).filter((value) => typeof value === 'string');
    return texts.map((text) => ({ owner: folderOf(`server/${file.replaceAll('\\', '/')}`), text: Buffer.from(text) }));
  });
  return (await Promise.all(published)).flat();
}

/** True if the position in a statement is within SQL that one of these owners publishes. */
function isPublished(statement: Buffer, offset: number, owners: readonly string[], published: readonly PublishedSql[]): boolean {
  return published.some(({ owner, text }) => {
    if (!owners.includes(owner)) return false;
    for (let at = statement.indexOf(text); at !== -1; at = statement.indexOf(text, at + 1)) {
      if (offset >= at && offset < at + text.length) return true;
    }
    return false;
  });
}

export interface OwnedStatement {
  title: string;
  text: string;
  file: string;
  parsed: ParsedSql;
}

/** Tables used in a statement although another part owns them. */
export function foreignTables({ title, text, file, parsed }: OwnedStatement, published: readonly PublishedSql[]): Finding[] {
  const folder = folderOf(file);
  const statement = Buffer.from(text);
  const found = new Map<string, Finding>();
  for (const { table, schema, isWrite, offset } of parsed.uses) {
    if (schema === 'pg_catalog' || schema === 'information_schema' || /^pg_/.test(table)) continue;
    const owners = ownersOf(table);
    if (owners?.includes(folder) || (owners && isPublished(statement, offset, owners, published))) continue;
    const verb = isWrite ? 'writes' : 'reads';
    const message = `${folder} ${verb} ${table}, a table of ${owners?.[0] ?? 'no one: no feature.ts names it'}`;
    found.set(`${table} ${verb}`, { kind: 'foreign table', statement: title, subject: table, message });
  }
  return [...found.values()];
}

/** The table of each model in prisma/schema. */
export function tablesOfModels(root: string): Map<string, string> {
  const directory = path.join(root, 'prisma/schema');
  const schema = readdirSync(directory)
    .map((file) => readFileSync(path.join(directory, file), 'utf8'))
    .join('\n');
  const models = schema.matchAll(/^model (\w+) \{[\s\S]*?^\}/gm);
  return new Map([...models].map(([body, model = '']) => [model, /@@map\("(\w+)"\)/.exec(body)?.[1] ?? '']));
}

/** Models of Prisma Client that are used outside their owner's folder. */
export function foreignModels(uses: readonly ModelUse[], tables: ReadonlyMap<string, string>): Finding[] {
  return uses.flatMap(({ model, site }): Finding[] => {
    const table = tables.get(model) ?? '';
    const folder = folderOf(site.file);
    const owners = ownersOf(table);
    if (owners?.includes(folder)) return [];
    const message = `${folder} uses ${table} through Prisma, a table of ${owners?.[0]} (${site.file}:${site.line})`;
    return [{ kind: 'foreign table', statement: site.file, subject: table, message }];
  });
}
