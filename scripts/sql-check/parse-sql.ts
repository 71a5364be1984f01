import { loadModule, parseSync } from 'libpg-query';

/** The library is WebAssembly; it is loaded once. */
export const loadParser = loadModule;

/** A position where a statement names a table. */
export interface TableUse {
  table: string;
  schema: string | undefined;
  isWrite: boolean;
  /** Offset of the name in the text, in bytes of UTF-8. */
  offset: number;
}

export interface ParsedSql {
  uses: TableUse[];
  /** Tables and aliases that an outer join may fill with nulls. */
  outer: Set<string>;
  /** The alias of each result column of the outermost SELECT or RETURNING, if it is written `alias.column`. */
  columnAliases: (string | undefined)[];
}

/** Nodes of the tree are untyped here, since the walk handles all kinds alike. */
type Node = Record<string, unknown>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

interface RangeVar {
  schemaname?: string;
  relname?: string;
  location?: number;
  alias?: { aliasname?: string };
}

/** The names of a statement's common table expressions. */
function cteNames(node: Node): string[] {
  const ctes = (node.withClause as { ctes?: { CommonTableExpr?: { ctename?: string } }[] } | undefined)?.ctes ?? [];
  return ctes.map(({ CommonTableExpr }) => CommonTableExpr?.ctename ?? '');
}

function collectUses(value: unknown, scope: ReadonlySet<string>, uses: TableUse[]): void {
  if (Array.isArray(value)) {
    for (const item of value) collectUses(item, scope, uses);
    return;
  }
  if (!isNode(value)) return;
  const inner = value.withClause ? new Set([...scope, ...cteNames(value)]) : scope;
  for (const [key, child] of Object.entries(value)) {
    if (key === 'RangeVar') addUse(child as RangeVar, false, inner, uses);
    // The table that a command changes is not wrapped like the others.
    else if (key === 'relation' && isNode(child) && 'relname' in child) addUse(child as RangeVar, true, new Set(), uses);
    // FOR UPDATE OF names aliases.
    else if (key !== 'LockingClause') collectUses(child, inner, uses);
  }
}

function addUse(
  { relname = '', schemaname, location }: RangeVar,
  isWrite: boolean,
  scope: ReadonlySet<string>,
  uses: TableUse[],
) {
  if (!schemaname && scope.has(relname)) return;
  uses.push({ table: relname, schema: schemaname, isWrite, offset: location ?? 0 });
}

/** A column reference with `*` stands for several columns. */
const hasStar = (value: unknown) => JSON.stringify(value).includes('"A_Star"');

/** All names within a part of FROM. */
function namesIn(value: unknown, names: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) namesIn(item, names);
  if (!isNode(value)) return;
  for (const [key, child] of Object.entries(value)) {
    if (key === 'RangeVar') {
      const { relname = '', alias } = child as RangeVar;
      names.add(alias?.aliasname ?? relname);
      names.add(relname);
    } else if (key === 'alias') {
      const { aliasname } = child as { aliasname?: string };
      if (aliasname) names.add(aliasname);
    } else namesIn(child, names);
  }
}

function collectOuter(value: unknown, outer: Set<string>): void {
  if (Array.isArray(value)) for (const item of value) collectOuter(item, outer);
  if (!isNode(value)) return;
  const join = value.JoinExpr as { jointype?: string; larg?: unknown; rarg?: unknown } | undefined;
  if (join?.jointype === 'JOIN_LEFT' || join?.jointype === 'JOIN_FULL') namesIn(join.rarg, outer);
  if (join?.jointype === 'JOIN_RIGHT' || join?.jointype === 'JOIN_FULL') namesIn(join.larg, outer);
  for (const child of Object.values(value)) collectOuter(child, outer);
}

function aliasesOf(statement: Node): (string | undefined)[] {
  const body = Object.values(statement)[0] as {
    targetList?: unknown[];
    returningList?: unknown[];
    returningClause?: { exprs?: unknown[] };
  };
  const list = 'SelectStmt' in statement ? body.targetList : (body.returningClause?.exprs ?? body.returningList);
  if (
    !list ||
    hasStar(list.map((item) => (item as { ResTarget?: { val?: { ColumnRef?: unknown } } }).ResTarget?.val?.ColumnRef ?? null))
  ) {
    return [];
  }
  return list.map((item) => {
    const fields = (item as { ResTarget?: { val?: { ColumnRef?: { fields?: { String?: { sval?: string } }[] } } } }).ResTarget
      ?.val?.ColumnRef?.fields;
    return fields?.length === 2 ? fields[0]?.String?.sval : undefined;
  });
}

/** @throws if PostgreSQL's parser rejects the text */
export function parseSql(text: string): ParsedSql {
  const { stmts = [] } = parseSync(text);
  const uses: TableUse[] = [];
  const outer = new Set<string>();
  for (const { stmt } of stmts) {
    collectUses(stmt, new Set(), uses);
    collectOuter(stmt, outer);
  }
  return { uses, outer, columnAliases: stmts[0]?.stmt ? aliasesOf(stmts[0].stmt as Node) : [] };
}
