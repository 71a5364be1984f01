import type { Catalog, Description } from './describe';
import type { ParsedSql } from './parse-sql';
import type { Call, SourceTypes } from './row-types';

/** A problem with a statement. */
export interface Finding {
  kind: 'refused' | 'missing column' | 'wrong type' | 'wrong parameter' | 'undeclared null' | 'never run' | 'foreign table';
  /** The statement's name, or the file of an unnamed one. */
  statement: string;
  /** The column, parameter or table. */
  subject: string;
  message: string;
}

/** An accepted finding; all parts but `reason` are those of the finding. */
export interface Exception {
  kind: Finding['kind'];
  statement: string;
  subject: string;
  reason: string;
}

export interface StatementAtCall {
  title: string;
  call: Call;
  isIso: boolean;
  parsed: ParsedSql;
  description: Description;
}

/** Compares PostgreSQL's description of a statement with the call's types of rows and parameters. */
export function compareWithCall(types: SourceTypes, catalog: Catalog, statement: StatementAtCall): Finding[] {
  return [...compareRow(types, catalog, statement), ...compareParameters(types, catalog, statement)];
}

function compareRow(
  types: SourceTypes,
  catalog: Catalog,
  { title, call, isIso, parsed, description }: StatementAtCall,
): Finding[] {
  const { row } = call;
  if (!row || description.columns.length === 0) return [];
  const findings: Finding[] = [];
  const names = new Set(description.columns.map(({ name }) => name));
  for (const name of types.requiredNames(row)) {
    if (names.has(name)) continue;
    findings.push({ kind: 'missing column', statement: title, subject: name, message: `no column ${name} in the result` });
  }
  for (const [index, column] of description.columns.entries()) {
    const { name } = column;
    const problem = types.columnProblem(row, name, catalog.kind(column.typeId), isIso);
    if (problem) findings.push({ kind: 'wrong type', statement: title, subject: name, message: `${name} ${problem}` });
    const source = catalog.column(column.tableId, column.columnNumber);
    if (!source || types.allowsNull(row, name)) continue;
    const reason = nullReason(parsed, catalog.tableName(column.tableId) ?? '', index, source.isNullable);
    if (reason)
      findings.push({ kind: 'undeclared null', statement: title, subject: name, message: `${name} (${source.name}) ${reason}` });
  }
  return findings;
}

function nullReason({ outer, columnAliases }: ParsedSql, table: string, index: number, isNullable: boolean): string | undefined {
  if (isNullable) return 'may be null';
  return outer.has(columnAliases[index] ?? table) ? 'may be null: it comes from an outer join' : undefined;
}

function compareParameters(types: SourceTypes, catalog: Catalog, { title, call, description }: StatementAtCall): Finding[] {
  const { values } = call;
  if (!values) return [];
  const expected = description.parameters.length;
  if (values.length !== expected) {
    const message = `${values.length} values are given for ${expected} parameters`;
    return [{ kind: 'wrong parameter', statement: title, subject: 'values', message }];
  }
  return values.flatMap((value, index): Finding[] => {
    const typeId = description.parameters[index] ?? 0;
    const problem = types.parameterProblem(value, catalog.kind(typeId));
    const subject = `$${index + 1}`;
    const message = `${subject} is ${catalog.typeName(typeId)}, not ${problem}`;
    return problem ? [{ kind: 'wrong parameter', statement: title, subject, message }] : [];
  });
}

/** Leaves out accepted findings. @returns also the exceptions that are no longer needed */
export function applyExceptions(findings: readonly Finding[], exceptions: readonly Exception[]) {
  const matches = (exception: Exception, finding: Finding) =>
    exception.kind === finding.kind && exception.statement === finding.statement && exception.subject === finding.subject;
  return {
    open: findings.filter((finding) => !exceptions.some((exception) => matches(exception, finding))),
    unused: exceptions.filter((exception) => !findings.some((finding) => matches(exception, finding))),
  };
}
