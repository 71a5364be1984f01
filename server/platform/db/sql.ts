import pg from 'pg';

/** Runs statements: the pool, or a connection inside a transaction. */
export type Queryable = pg.Pool | pg.ClientBase;

/** Runs statements that return rows; also inside a transaction of Prisma Client. */
export interface RowReader {
  query<Row extends pg.QueryResultRow>(statement: pg.QueryConfig): Promise<{ rows: Row[] }>;
}

/** A statement. With a `name` it is parsed and planned once per connection and then reused. */
export interface Statement {
  name?: string;
  text: string;
  values: unknown[];
  /**
   * Row-level security does not apply: the statement concerns rows of other identities, or finds rows by an index that it could not
   * use otherwise (docs/adr/0022).
   */
  withoutRowSecurity?: true;
  /** Reads a row or a few by their key, which never takes long: may share a connection with other reads (docs/adr/0037). */
  isByKey?: true;
  /** Returns times as ISO 8601 text, as in the API, instead of Date: faster for lists. */
  isoTimes?: true;
}

/**
 * Converts PostgreSQL's text of a time to ISO 8601 in UTC with milliseconds: `2026-11-21 09:30:00.5+00` →
 * `2026-11-21T09:30:00.500Z`. Falls back to Date if the server's session uses another time zone.
 */
export function toIsoTime(text: string): string {
  const match = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?\+00$/.exec(text);
  if (!match) return new Date(text).toISOString();
  return `${match[1]}T${match[2]}.${(match[3] ?? '').padEnd(3, '0')}Z`;
}

const isoTypes: pg.CustomTypesConfig = {
  getTypeParser: (type: number, format?: 'text' | 'binary') =>
    type === pg.types.builtins.TIMESTAMPTZ ? toIsoTime : pg.types.getTypeParser(type, format as 'text'),
};

/** Runs one statement and returns its rows. `Row` must match the statement's columns. */
export async function rows<Row extends pg.QueryResultRow>(db: RowReader, statement: Statement): Promise<Row[]> {
  const result = await db.query<Row>(statement.isoTimes ? { ...statement, types: isoTypes } : statement);
  return result.rows;
}

/** The name of the violated constraint if `error` is PostgreSQL's constraint violation, else undefined. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code?.startsWith('23') ? constraint : undefined;
}

/** Escapes `text` for a LIKE pattern: `%`, `_` and `\` become literal. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}
