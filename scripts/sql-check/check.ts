import type pg from 'pg';
import { type Catalog, describeStatement } from './describe';
import { compareWithCall, type Finding } from './findings';
import { foreignTables, type PublishedSql } from './ownership';
import { parseSql } from './parse-sql';
import type { RecordedStatement } from './recording';
import type { Call, SourceTypes } from './row-types';

/** A statement and the call that runs it. */
export interface CheckedStatement {
  name: string | undefined;
  text: string;
  isIso: boolean;
  file: string;
  call: Call | undefined;
}

/** What statements are compared with. */
export interface CheckContext {
  client: pg.ClientBase;
  catalog: Catalog;
  types: SourceTypes;
  published: readonly PublishedSql[];
}

/** All findings for one statement. */
export async function checkStatement(
  context: CheckContext,
  { name, text, isIso, file, call }: CheckedStatement,
): Promise<Finding[]> {
  const title = name ?? file;
  try {
    const parsed = parseSql(text);
    const foreign = foreignTables({ title, text, file, parsed }, context.published);
    const description = await describeStatement(context.client, text);
    if (!call) return foreign;
    return [...foreign, ...compareWithCall(context.types, context.catalog, { title, call, isIso, parsed, description })];
  } catch (error) {
    const message = `${(error as Error).message}: ${text.replaceAll(/\s+/g, ' ').slice(0, 120)}`;
    return [{ kind: 'refused', statement: title, subject: '', message }];
  }
}

/** Names in the source that no test has run. */
export function neverRun(types: SourceTypes, recorded: readonly RecordedStatement[]): Finding[] {
  const names = new Set(recorded.map(({ name }) => name));
  return types
    .statementNames()
    .filter(({ name }) => !names.has(name))
    .map(({ name, site }) => {
      const message = `no test runs it (${site.file}:${site.line})`;
      return { kind: 'never run', statement: name, subject: '', message };
    });
}
