import pg from 'pg';
import { migrate } from '@/server/platform/db/migrate';
import { prepareJobs } from '@/server/platform/jobs/prepare';
import { createDatabase, startTestPostgres } from '@/server/testing/postgres';
import { describeStatement, readCatalog } from './sql-check/describe';
import { exceptions, leftOut } from './sql-check/exceptions';
import { applyExceptions, compareWithCall, type Finding } from './sql-check/findings';
import { folderOf, foreignModels, foreignTables, readPublishedSql, tablesOfModels } from './sql-check/ownership';
import { loadParser, parseSql } from './sql-check/parse-sql';
import { type RecordedStatement, readRecording } from './sql-check/recording';
import { type Call, SourceTypes } from './sql-check/row-types';

/**
 * `npm run sql:check`: compares the SQL that the tests ran with the schema, with the row types in the source and with the owners of tables.
 * The tests record it where RECORD_SQL names a folder; `npm test` does both.
 */

/** A statement and the call that runs it. */
interface Checked {
  name: string | undefined;
  text: string;
  isIso: boolean;
  file: string;
  call: Call | undefined;
}

const root = process.cwd();

async function openMigrated(url: string): Promise<pg.Client> {
  const database = await createDatabase(url);
  await migrate(database);
  await prepareJobs(database);
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  return client;
}

function toChecked(types: SourceTypes, { name, text, isIso, sites }: RecordedStatement): Checked[] {
  const file = sites[0]?.file;
  return file ? [{ name, text, isIso, file, call: types.callAt(sites) }] : [];
}

async function check(client: pg.Client, types: SourceTypes, statements: readonly Checked[]): Promise<Finding[]> {
  const catalog = await readCatalog(client);
  const published = await readPublishedSql(root);
  const findings: Finding[] = [];
  for (const { name, text, isIso, file, call } of statements) {
    const title = name ?? file;
    try {
      const parsed = parseSql(text);
      findings.push(...foreignTables({ title, text, file, parsed }, published));
      const description = await describeStatement(client, text);
      if (call) findings.push(...compareWithCall(types, catalog, { title, call, isIso, parsed, description }));
    } catch (error) {
      const message = `${(error as Error).message}: ${text.replaceAll(/\s+/g, ' ').slice(0, 120)}`;
      findings.push({ kind: 'refused', statement: title, subject: '', message });
    }
  }
  return [...findings, ...foreignModels(types.modelUses(), tablesOfModels(root))];
}

function neverRun(types: SourceTypes, recorded: readonly RecordedStatement[]): Finding[] {
  const names = new Set(recorded.map(({ name }) => name));
  return types
    .statementNames()
    .filter(({ name }) => !names.has(name))
    .map(({ name, site }) => {
      const message = `no test runs it (${site.file}:${site.line})`;
      return { kind: 'never run', statement: name, subject: '', message };
    });
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
      .map(({ text, call }): Checked => ({ name: undefined, text, isIso: false, file: call.site.file, call }));
    const statements = [...recorded.flatMap((statement) => toChecked(types, statement)), ...tagged].filter(
      ({ file }) => !leftOut.some((left) => left.folder === folderOf(file)),
    );
    const findings = [...(await check(client, types, statements)), ...neverRun(types, recorded)];
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
