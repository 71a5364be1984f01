import pg from 'pg';
import { oncePerProcess } from '../process-globals';

type Value = string | Buffer | null;
type ReadRow = (values: readonly Value[]) => pg.QueryResultRow;
export type Callback = (error: Error | undefined, result: pg.QueryResult) => void;

/** How the rows of a statement are read. */
interface Reading {
  types: pg.CustomTypesConfig;
  fields: readonly pg.FieldDef[];
  readRow: ReadRow;
}

/** By the name of the statement. */
function readings(): Map<string, Reading> {
  return oncePerProcess('named-readings', () => new Map<string, Reading>());
}

/** A statement whose name tells how its rows are read. */
export interface NamedStatement extends pg.QueryConfig {
  name: string;
}

export function isNamed(statement: unknown): statement is NamedStatement {
  return (
    typeof statement === 'object' &&
    statement !== null &&
    'name' in statement &&
    statement.name !== undefined &&
    !('submit' in statement)
  );
}

/**
 * A named statement for pg. Its rows are converted by a function that is generated once, where pg copies each statement and looks up
 * the parsers of all columns for each answer (docs/adr/0037).
 */
export class NamedQuery extends pg.Query {
  readonly #name: string;
  readonly #types: pg.CustomTypesConfig;
  readonly #rows: pg.QueryResultRow[] = [];
  #readRow: ReadRow = () => ({});
  #failure: Error | undefined;

  constructor({ name, text, values, types }: NamedStatement, callback: Callback) {
    super(text, values);
    this.#name = name;
    this.#types = types ?? pg.types;
    const done: Callback = (error, result) => {
      if (result) result.rows = this.#rows;
      callback(this.#failure ?? error, result);
    };
    Object.assign(this, { name, types, callback: done });
  }

  handleRowDescription({ fields }: { fields: pg.FieldDef[] }): void {
    this.#readRow = readingOf(this.#name, this.#types, fields);
  }

  handleDataRow({ fields: values }: { fields: Value[] }): void {
    try {
      this.#rows.push(this.#readRow(values));
    } catch (error) {
      // Thrown here, it would end the process.
      this.#failure = error as Error;
    }
  }
}

function readingOf(name: string, types: pg.CustomTypesConfig, fields: readonly pg.FieldDef[]): ReadRow {
  const known = readings().get(name);
  // A migration may have changed a column's type.
  const isSame = ({ name: column, dataTypeID }: pg.FieldDef, index: number) =>
    column === known?.fields[index]?.name && dataTypeID === known.fields[index]?.dataTypeID;
  if (known?.types === types && known.fields.length === fields.length && fields.every(isSame)) return known.readRow;
  const readRow = makeReading(types, fields);
  readings().set(name, { types, fields, readRow });
  return readRow;
}

/** A function with each column's name in it: rows are of one shape then, which makes them, and reading them, several times faster. */
function makeReading(types: pg.CustomTypesConfig, fields: readonly pg.FieldDef[]): ReadRow {
  const parsers = fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text') as (value: Value) => unknown);
  // Texts are as PostgreSQL sends them.
  const value = (n: number) =>
    parsers[n] === asItIs ? `values[${n}]` : `values[${n}] === null ? null : parsers[${n}](values[${n}])`;
  const columns = fields.map(({ name }, n) => `${JSON.stringify(name)}: ${value(n)}`);
  return new Function('parsers', `return (values) => ({ ${columns.join(', ')} })`)(parsers) as ReadRow;
}

const asItIs = pg.types.getTypeParser(pg.types.builtins.TEXT, 'text');
