import path from 'node:path';
import ts from 'typescript';
import type { ValueKind } from './describe';
import type { Site } from './recording';

/** The TypeScript side of a statement: the call's types of rows and parameters. */
export interface Call {
  site: Site;
  /** The type of a row; undefined if the call does not specify it. */
  row: ts.Type | undefined;
  /** The expressions of `values`, if the call has them as a literal. */
  values: readonly ts.Expression[] | undefined;
}

/** A statement of Prisma's `$queryRaw`, whose text is in the source. */
export interface TaggedStatement {
  text: string;
  call: Call;
}

/** A use of a model of Prisma Client, e.g. `tx.agent`. */
export interface ModelUse {
  model: string;
  site: Site;
}

const isAny = (type: ts.Type) => (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0;

const isStringLiterals = (type: ts.Type) =>
  (type.isUnion() ? type.types : [type]).every(({ flags }) => flags & ts.TypeFlags.StringLiteral);

/** The source files of the server and their types. */
export class SourceTypes {
  readonly #program: ts.Program;
  readonly #checker: ts.TypeChecker;
  readonly #root: string;

  constructor(root: string) {
    const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent({ ...config, include: ['server/**/*.ts'] }, ts.sys, root);
    const files = ts.sys
      .readDirectory(path.join(root, 'server'), ['.ts'])
      .filter((file) => !/\.test\.ts$|\/testing\/|\/generated\//.test(file));
    this.#root = root;
    this.#program = ts.createProgram(files, { ...options, incremental: false });
    this.#checker = this.#program.getTypeChecker();
  }

  /** The innermost call among these positions that specifies its row type. */
  callAt(sites: readonly Site[]): Call | undefined {
    let first: Call | undefined;
    for (const site of sites) {
      const node = this.#callNode(site);
      if (!node) continue;
      const call: Call = { site, row: this.#rowOf(node), values: valuesOf(node) };
      first ??= call;
      // A helper with a generic row type gets it from its caller.
      if (!call.row || !(call.row.flags & ts.TypeFlags.TypeParameter)) return { ...call, values: first.values };
    }
    return first;
  }

  /** The problem with reading values of this kind as this property of the row, if any. */
  columnProblem(row: ts.Type, name: string, kind: ValueKind, isIso: boolean): string | undefined {
    const property = this.#checker.getPropertyOfType(row, name);
    if (!property) return undefined;
    const type = this.#checker.getTypeOfSymbol(property);
    return this.#fits(kind, type, isIso) ? undefined : `is ${describeKind(kind, isIso)}, not ${this.#checker.typeToString(type)}`;
  }

  allowsNull(row: ts.Type, name: string): boolean {
    const property = this.#checker.getPropertyOfType(row, name);
    if (!property) return true;
    const type = this.#checker.getTypeOfSymbol(property);
    return isAny(type) || this.#checker.isTypeAssignableTo(this.#checker.getNullType(), type);
  }

  /** The properties of a row that are not optional. */
  requiredNames(row: ts.Type): string[] {
    if (isAny(row) || row.flags & ts.TypeFlags.TypeParameter) return [];
    return this.#checker
      .getPropertiesOfType(row)
      .filter((property) => !(property.flags & ts.SymbolFlags.Optional))
      .map(({ name }) => name);
  }

  /** The problem with passing the value of this expression as a parameter of this kind, if any. */
  parameterProblem(expression: ts.Expression, kind: ValueKind): string | undefined {
    const type = this.#checker.getTypeAtLocation(expression);
    const members = type.isUnion() ? type.types : [type];
    return members.every((member) => this.#isAccepted(member, kind)) ? undefined : this.#checker.typeToString(type);
  }

  /** Every `name` of a statement in the source, with its position. */
  statementNames(): { name: string; site: Site }[] {
    return this.#collect((node) => {
      if (!ts.isPropertyAssignment(node) || propertyName(node) !== 'name' || !ts.isStringLiteral(node.initializer))
        return undefined;
      const isStatement = node.parent.properties.some((other) => other.name && propertyName(other) === 'text');
      // Other objects have a name and a text, too; the names of statements are lower case, with hyphens.
      const { text: name } = node.initializer;
      return isStatement && /^[a-z\d-]+$/.test(name) ? { name, site: this.#siteOf(node) } : undefined;
    });
  }

  taggedStatements(): TaggedStatement[] {
    return this.#collect((node) => {
      if (!ts.isTaggedTemplateExpression(node) || !ts.isPropertyAccessExpression(node.tag)) return undefined;
      if (!/^\$(queryRaw|executeRaw)$/.test(node.tag.name.text)) return undefined;
      const { template } = node;
      const text = ts.isNoSubstitutionTemplateLiteral(template)
        ? template.text
        : template.head.text + template.templateSpans.map(({ literal }, index) => `$${index + 1}${literal.text}`).join('');
      const argument = node.typeArguments?.[0];
      const rows = argument && this.#checker.getTypeFromTypeNode(argument);
      const row = rows && this.#checker.getTypeArguments(rows as ts.TypeReference)[0];
      return { text, call: { site: this.#siteOf(node), row, values: undefined } };
    });
  }

  modelUses(): ModelUse[] {
    return this.#collect((node) => {
      if (!ts.isPropertyAccessExpression(node)) return undefined;
      const symbol = this.#checker.getTypeAtLocation(node).symbol?.name ?? '';
      return symbol.endsWith('Delegate') ? { model: symbol.slice(0, -'Delegate'.length), site: this.#siteOf(node) } : undefined;
    });
  }

  #collect<T>(visit: (node: ts.Node) => T | undefined): T[] {
    const found: T[] = [];
    const walk = (node: ts.Node): void => {
      const result = visit(node);
      if (result !== undefined) found.push(result);
      ts.forEachChild(node, walk);
    };
    for (const file of this.#program.getSourceFiles()) {
      if (!file.isDeclarationFile && !/\/node_modules\/|\/generated\//.test(file.fileName)) walk(file);
    }
    return found;
  }

  #siteOf(node: ts.Node): Site {
    const file = node.getSourceFile();
    const { line, character } = file.getLineAndCharacterOfPosition(node.getStart());
    return { file: path.relative(this.#root, file.fileName).replaceAll('\\', '/'), line: line + 1, column: character + 1 };
  }

  #callNode({ file, line, column }: Site): ts.CallExpression | undefined {
    const source = this.#program.getSourceFile(path.join(this.#root, file));
    if (!source) return undefined;
    const lineStart = source.getLineStarts()[line - 1];
    // A recording of an older source may refer to a line that no longer exists.
    if (lineStart === undefined) return undefined;
    const position = lineStart + column - 1;
    let found: ts.CallExpression | undefined;
    const walk = (node: ts.Node): void => {
      if (position < node.getStart() || position >= node.getEnd()) return;
      // A stack trace has the position of the called function's name.
      if (ts.isCallExpression(node) && position >= node.expression.getStart() && position < node.expression.getEnd())
        found = node;
      ts.forEachChild(node, walk);
    };
    walk(source);
    return found;
  }

  /** The type argument of the call; else Row of its Promise<Row[]> or Promise<QueryResult<Row>>. */
  #rowOf(call: ts.CallExpression): ts.Type | undefined {
    const argument = call.typeArguments?.[0];
    if (argument) return this.#checker.getTypeFromTypeNode(argument);
    const result = this.#checker.getAwaitedType(this.#checker.getTypeAtLocation(call));
    if (!result) return undefined;
    if (this.#checker.isArrayType(result)) return this.#checker.getTypeArguments(result as ts.TypeReference)[0];
    const rows = this.#checker.getPropertyOfType(result, 'rows');
    const type = rows && this.#checker.getTypeOfSymbol(rows);
    return type && this.#checker.isArrayType(type) ? this.#checker.getTypeArguments(type as ts.TypeReference)[0] : undefined;
  }

  #fits(kind: ValueKind, target: ts.Type, isIso: boolean): boolean {
    const checker = this.#checker;
    if (isAny(target)) return true;
    const type = checker.getNonNullableType(target);
    const takes = (source: ts.Type) => checker.isTypeAssignableTo(source, type);
    switch (kind.is) {
      case 'string':
        // Text that a CHECK or the writing code limits to certain values.
        return takes(checker.getStringType()) || isStringLiterals(type);
      case 'bigint':
        return takes(checker.getStringType());
      case 'number':
        return takes(checker.getNumberType());
      case 'boolean':
        return takes(checker.getBooleanType());
      case 'timestamptz':
        return isIso ? takes(checker.getStringType()) : type.symbol?.name === 'Date';
      case 'time':
        return type.symbol?.name === 'Date';
      case 'bytes':
        return /^(Buffer|Uint8Array)$/.test(type.symbol?.name ?? '');
      case 'enum':
        return kind.labels.every((label) => takes(checker.getStringLiteralType(label)));
      case 'array': {
        const element = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference)[0] : undefined;
        // pg can't parse arrays of the schema's own types.
        if (kind.of.is === 'enum') return takes(checker.getStringType());
        return element !== undefined && this.#fits(kind.of, element, false);
      }
      case 'json':
      case 'other':
        return true;
    }
  }

  #isAccepted(value: ts.Type, kind: ValueKind): boolean {
    const { flags } = value;
    if (
      flags &
      (ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.TypeParameter)
    ) {
      return true;
    }
    const isString =
      (flags & ts.TypeFlags.StringLike) !== 0 ||
      (value.isIntersection() && value.types.some((part) => part.flags & ts.TypeFlags.StringLike));
    const isArray = this.#checker.isArrayLikeType(value);
    switch (kind.is) {
      case 'string':
      case 'enum':
        return isString;
      case 'number':
        return (flags & ts.TypeFlags.NumberLike) !== 0;
      case 'bigint':
        return isString || (flags & (ts.TypeFlags.NumberLike | ts.TypeFlags.BigIntLike)) !== 0;
      case 'boolean':
        return (flags & ts.TypeFlags.BooleanLike) !== 0;
      case 'timestamptz':
      case 'time':
        return isString || value.symbol?.name === 'Date';
      case 'bytes':
        return /^(Buffer|Uint8Array)$/.test(value.symbol?.name ?? '');
      case 'array':
        return isArray;
      case 'json':
        return isString || ((flags & ts.TypeFlags.Object) !== 0 && !isArray);
      case 'other':
        return true;
    }
  }
}

function describeKind(kind: ValueKind, isIso: boolean): string {
  switch (kind.is) {
    case 'bigint':
      return 'string (int8 or numeric)';
    case 'timestamptz':
      return isIso ? 'string' : 'Date';
    case 'time':
      return 'Date';
    case 'bytes':
      return 'Buffer';
    case 'enum':
      return kind.labels.map((label) => `'${label}'`).join(' | ');
    case 'array':
      return kind.of.is === 'enum' ? 'string (an array of an enum; cast it to text[])' : `${describeKind(kind.of, false)}[]`;
    default:
      return kind.is;
  }
}

function propertyName(node: ts.ObjectLiteralElementLike): string | undefined {
  return node.name && ts.isIdentifier(node.name) ? node.name.text : undefined;
}

/** The elements of `values: […]`, or of the array that is the second argument of `query`. */
function valuesOf(call: ts.CallExpression): readonly ts.Expression[] | undefined {
  for (const argument of call.arguments) {
    if (!ts.isObjectLiteralExpression(argument)) continue;
    const given = argument.properties.find((property) => propertyName(property) === 'values');
    if (given && ts.isPropertyAssignment(given)) return elementsOf(given.initializer);
  }
  const second = call.arguments[1];
  return second && elementsOf(second);
}

function elementsOf(node: ts.Expression): readonly ts.Expression[] | undefined {
  if (!ts.isArrayLiteralExpression(node) || node.elements.some(ts.isSpreadElement)) return undefined;
  return node.elements;
}
