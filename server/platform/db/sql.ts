import pg from 'pg';

/** Something that runs statements: the pool, or a connection inside a transaction. */
export type Queryable = pg.Pool | pg.PoolClient;

/** A statement; with a `name` it is parsed and planned once a connection and then reused. */
export interface Statement {
  name?: string;
  text: string;
  values: unknown[];
  /** Times come as ISO 8601 text, as the API shows them, and not as Date: for lists, where making one of the other is felt. */
  isoTimes?: true;
}

/**
 * PostgreSQL's text of a time as ISO 8601 in UTC with milliseconds: `2026-11-21 09:30:00.5+00` → `2026-11-21T09:30:00.500Z`. Where
 * the server's sessions are in another time zone, Date does the work.
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

/** Runs one statement and returns its rows. The caller states the row's shape; the statement's text must match it. */
export async function rows<Row extends pg.QueryResultRow>(db: Queryable, statement: Statement): Promise<Row[]> {
  const result = await db.query<Row>(statement.isoTimes ? { ...statement, types: isoTypes } : statement);
  return result.rows;
}

/** The name of the violated constraint where `error` is PostgreSQL's refusal of a row, else undefined. */
export function violatedConstraint(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code?.startsWith('23') ? constraint : undefined;
}

/** `text` as a literal inside a LIKE pattern: `%`, `_` and `\` lose their meaning. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}
