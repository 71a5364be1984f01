import type pg from 'pg';

/** A result column as PostgreSQL describes it. */
export interface Column {
  name: string;
  typeId: number;
  /** Its table column; zeros if it is computed. */
  tableId: number;
  columnNumber: number;
}

export interface Description {
  parameters: number[];
  columns: Column[];
}

interface FieldMessage {
  name: string;
  dataTypeID: number;
  tableID: number;
  columnID: number;
}

/** The part of pg's connection that a submitted query uses. */
interface Connection {
  once(event: 'parameterDescription', listener: (message: { dataTypeIDs: number[] }) => void): void;
  parse(query: { name: string; text: string; types: never[] }): void;
  describe(target: { type: 'S'; name: string }): void;
  sync(): void;
}

/** Parse and Describe, without running the statement. pg calls the handlers by these names. */
class Describe {
  readonly done: Promise<Description>;
  #parameters: number[] = [];
  #columns: Column[] = [];
  #resolve: (description: Description) => void = () => undefined;
  #reject: (error: Error) => void = () => undefined;

  constructor(readonly text: string) {
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: Connection): void {
    connection.once('parameterDescription', ({ dataTypeIDs }) => {
      this.#parameters = dataTypeIDs;
    });
    connection.parse({ name: '', text: this.text, types: [] });
    connection.describe({ type: 'S', name: '' });
    connection.sync();
  }

  handleRowDescription({ fields }: { fields: FieldMessage[] }): void {
    this.#columns = fields.map(({ name, dataTypeID, tableID, columnID }) => ({
      name,
      typeId: dataTypeID,
      tableId: tableID,
      columnNumber: columnID,
    }));
  }

  handleError(error: Error): void {
    this.#reject(error);
  }

  handleReadyForQuery(): void {
    this.#resolve({ parameters: this.#parameters, columns: this.#columns });
  }

  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}

/** @throws PostgreSQL's error for the statement */
export async function describeStatement(client: pg.ClientBase, text: string): Promise<Description> {
  const query = new Describe(text);
  client.query(query as unknown as pg.Submittable);
  return query.done;
}

/** How pg represents values of a type. */
export type ValueKind =
  | { is: 'string' | 'number' | 'boolean' | 'time' | 'timestamptz' | 'json' | 'bytes' | 'bigint' | 'other' }
  | { is: 'enum'; labels: string[] }
  | { is: 'array'; of: ValueKind };

/** The types and columns of a database. */
export interface Catalog {
  typeName(id: number): string;
  kind(typeId: number): ValueKind;
  tableName(id: number): string | undefined;
  /** `table.column` and whether it can be null. */
  column(tableId: number, columnNumber: number): { name: string; isNullable: boolean } | undefined;
}

interface TypeRow {
  oid: number;
  name: string;
  element: number | null;
  labels: string[] | null;
}

interface ColumnRow {
  table_id: number;
  number: number;
  table: string;
  name: string;
  is_nullable: boolean;
}

const kinds: Record<string, ValueKind['is']> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  oid: 'number',
  float4: 'number',
  float8: 'number',
  int8: 'bigint',
  numeric: 'bigint',
  date: 'time',
  timestamp: 'time',
  timestamptz: 'timestamptz',
  json: 'json',
  jsonb: 'json',
  bytea: 'bytes',
  interval: 'other',
  point: 'other',
  circle: 'other',
};

export async function readCatalog(client: pg.ClientBase): Promise<Catalog> {
  const types = await client.query<TypeRow>(
    `SELECT t.oid::int AS oid, t.typname AS name, CASE WHEN t.typcategory = 'A' THEN t.typelem::int END AS element,
      (SELECT array_agg(e.enumlabel::text ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid) AS labels
    FROM pg_type t`,
  );
  const columns = await client.query<ColumnRow>(
    `SELECT c.oid::int AS table_id, a.attnum::int AS number, c.relname AS table, a.attname AS name, NOT a.attnotnull AS is_nullable
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'v')`,
  );
  const byId = new Map(types.rows.map((row) => [row.oid, row]));
  const byColumn = new Map(columns.rows.map((row) => [`${row.table_id} ${row.number}`, row]));
  const tables = new Map(columns.rows.map((row) => [row.table_id, row.table]));
  const kind = (typeId: number): ValueKind => {
    const type = byId.get(typeId);
    if (!type) return { is: 'other' };
    if (type.element !== null) return { is: 'array', of: kind(type.element) };
    if (type.labels) return { is: 'enum', labels: type.labels };
    const is = kinds[type.name] ?? 'string';
    return { is } as ValueKind;
  };
  return {
    typeName: (id) => byId.get(id)?.name ?? `type ${id}`,
    kind,
    tableName: (id) => tables.get(id),
    column: (tableId, columnNumber) => {
      const row = byColumn.get(`${tableId} ${columnNumber}`);
      return row && { name: `${row.table}.${row.name}`, isNullable: row.is_nullable };
    },
  };
}
