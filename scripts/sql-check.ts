import pg from 'pg';
import { migrate } from '@/server/platform/db/migrate';
import { createDatabase, startTestPostgres } from '@/server/testing/postgres';
import { type CheckedStatement, checkStatement, neverRun } from './sql-check/check';
import { readCatalog } from './sql-check/describe';
import { exceptions, leftOut } from './sql-check/exceptions';
import { applyExceptions, type Finding } from './sql-check/findings';
import { foreignModels, readPublishedSql, tablesOfModels } from './sql-check/ownership';
import { loadParser } from './sql-check/parse-sql';
import { type RecordedStatement, readRecording } from './sql-check/recording';
import { SourceTypes } from './sql-check/row-types';

/**
 * `npm run sql:check`: compares the SQL that the tests ran with the schema, with the row types in the source and with the
 * owners of tables. The tests record it in the folder named by RECORD_SQL; `npm test` does both.
 */

const root = process.cwd();

async function openMigrated(url: string): Promise<pg.Client> {
  const database = await createDatabase(url);
  await migrate(database);
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  return client;
}

function toChecked(types: SourceTypes, { name, text, isIso, sites }: RecordedStatement): CheckedStatement[] {
  const file = sites[0]?.file;
  return file ? [{ name, text, isIso, file, call: types.callAt(sites) }] : [];
}

async function main(): Promise<void> {
  const folder = process.env.RECORD_SQL;
  if (!folder)
    throw new Error('RECORD_SQL=<folder> npm run test:unit records the statements; then run this with the same folder.');
  const recorded = readRecording(folder);
  const [postgres] = await Promise.all([startTestPostgres(), loadParser()]);
  const client = await openMigrated(postgres.url);
  try {
    const types = new SourceTypes(root);
    const tagged = types
      .taggedStatements()
      .map(({ text, call }): CheckedStatement => ({ name: undefined, text, isIso: false, file: call.site.file, call }));
    const statements = [...recorded.flatMap((statement) => toChecked(types, statement)), ...tagged].filter(
      ({ file }) => !leftOut.some((left) => file.startsWith(left.path)),
    );
    const truth = { client, catalog: await readCatalog(client), types, published: await readPublishedSql(root) };
    const findings: Finding[] = [];
    for (const statement of statements) findings.push(...(await checkStatement(truth, statement)));
    findings.push(...foreignModels(types.modelUses(), tablesOfModels(root)), ...neverRun(types, recorded));
    const { open, unused } = applyExceptions(findings, exceptions);
    const lines = new Set(open.map(({ kind, statement, message }) => `${kind}: ${statement}: ${message}`));
    for (const { kind, statement, subject } of unused) lines.add(`exception without a finding: ${kind}: ${statement} ${subject}`);
    for (const line of [...lines].sort()) console.log(line);
    const compared = statements.filter(({ call }) => call?.row).length;
    console.log(`${statements.length} statements, ${compared} with a row type, ${lines.size} findings`);
    if (lines.size > 0) process.exitCode = 1;
  } finally {
    await client.end();
    await postgres.stop();
  }
}

await main();
