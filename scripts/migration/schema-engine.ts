import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import * as schemaEngine from '@prisma/schema-engine-wasm/schema_engine_bg';

/**
 * Prisma's schema engine as WebAssembly: it compares two datamodels without a database and without a download, unlike the
 * `prisma migrate` command (docs/adr/0003).
 */

/** A datamodel, as a list of files. */
export type Datamodel = { path: string; content: string }[];

const factory = { provider: 'postgres', adapterName: 'frontdesk-offline' } as const;

function unused(): Promise<never> {
  throw new Error('Comparing datamodels asked for a transaction.');
}

/** The engine requires a connection, and queries it for a few things that do not affect comparing datamodels. */
const offlineAdapter: SqlDriverAdapter = {
  ...factory,
  queryRaw: async () => ({ columnNames: [], columnTypes: [], rows: [] }),
  executeRaw: async () => 0,
  executeScript: async () => undefined,
  startTransaction: unused,
  getConnectionInfo: () => ({ schemaName: 'public', supportsRelationJoins: true }),
  dispose: async () => undefined,
};

const offlineFactory: SqlMigrationAwareDriverAdapterFactory = {
  ...factory,
  connect: async () => offlineAdapter,
  connectToShadowDb: async () => offlineAdapter,
};

let loaded: Promise<typeof schemaEngine> | undefined;

function loadEngine(): Promise<typeof schemaEngine> {
  loaded ??= instantiate();
  return loaded;
}

async function instantiate(): Promise<typeof schemaEngine> {
  const script = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const binary = await readFile(path.join(path.dirname(script), 'schema_engine_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(binary, { './schema_engine_bg.js': { ...schemaEngine } });
  // Does the same as the package's own entry, which imports a .wasm file; Node.js 20 does not support that.
  const glue = schemaEngine as unknown as { __wbg_set_wasm: (exports: WebAssembly.Exports) => void };
  glue.__wbg_set_wasm(instance.exports);
  (instance.exports.__wbindgen_start as () => void)();
  return schemaEngine;
}

const emptyMigration = '-- This is an empty migration.';
const publicSchema = /^-- CreateSchema\nCREATE SCHEMA IF NOT EXISTS "public";\n+/;

/**
 * The SQL that leads from one datamodel to another; empty if nothing changes.
 *
 * @param from null for an empty database
 */
export async function diffDatamodels(from: Datamodel | null, to: Datamodel): Promise<string> {
  const { SchemaEngine } = await loadEngine();
  const datamodels = to.map(({ path: file, content }): [string, string] => [file, content]);
  const engine = await SchemaEngine.new({ datamodels }, () => undefined, bindMigrationAwareSqlAdapterFactory(offlineFactory));
  try {
    const result = await engine.diff({
      from: from ? { tag: 'schemaDatamodel', files: from } : { tag: 'empty' },
      to: { tag: 'schemaDatamodel', files: to },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    const sql = (result.stdout ?? '').replace(publicSchema, '').trim();
    return sql === emptyMigration ? '' : `${sql}\n`;
  } finally {
    engine.free();
  }
}
