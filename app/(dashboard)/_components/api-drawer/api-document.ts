import type { CallSelection } from '../section';

/** The subset of JSON Schema that examples are generated from. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: readonly unknown[];
  default?: unknown;
  examples?: readonly unknown[];
  minimum?: number;
  minItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  oneOf?: readonly JsonSchema[];
  allOf?: readonly JsonSchema[];
}

interface DocumentedOperation {
  operationId?: string;
  summary?: string;
  tags?: string[];
  parameters?: { name: string; in: string; required?: boolean; schema?: JsonSchema }[];
  requestBody?: { content: Record<string, { schema?: JsonSchema }> };
  responses?: Record<string, { content?: Record<string, unknown> }>;
}

/** The parts of an OpenAPI document that the drawer reads. */
export interface ApiDocument {
  servers?: { url: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  components?: { schemas?: Record<string, JsonSchema> };
}

export interface ApiParameter {
  name: string;
  place: 'path' | 'query';
  isRequired: boolean;
  schema: JsonSchema;
}

/** One call of the API. */
export interface ApiOperation {
  /** `customers-get`: the client's `customers.get`. */
  id: string;
  tag: string;
  method: string;
  path: string;
  summary: string;
  parameters: readonly ApiParameter[];
  body: JsonSchema | null;
  /** True if the request is a file. */
  isUpload: boolean;
  /** True if the response is a file. */
  isDownload: boolean;
}

function parametersOf({ parameters = [] }: DocumentedOperation): ApiParameter[] {
  return parameters.flatMap(({ name, in: place, required = false, schema = {} }) =>
    place === 'path' || place === 'query' ? [{ name, place, isRequired: required, schema }] : [],
  );
}

function isDownload({ responses = {} }: DocumentedOperation): boolean {
  return Object.keys(responses['200']?.content ?? {}).includes('application/octet-stream');
}

/** All operations of a document, in document order. */
export function operationsOf(document: ApiDocument): ApiOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operation.operationId === undefined
        ? []
        : [
            {
              id: operation.operationId,
              tag: operation.tags?.[0] ?? '',
              method: method.toUpperCase(),
              path,
              summary: operation.summary ?? '',
              parameters: parametersOf(operation),
              body: operation.requestBody?.content['application/json']?.schema ?? null,
              isUpload: operation.requestBody?.content['multipart/form-data'] !== undefined,
              isDownload: isDownload(operation),
            },
          ],
    ),
  );
}

/** The operations a page shows. */
export function selectOperations(operations: readonly ApiOperation[], selection: CallSelection): ApiOperation[] {
  if ('operations' in selection) {
    const { operations: wanted } = selection;
    return wanted.flatMap((id) => operations.filter((operation) => operation.id === id));
  }
  const { tag, record, isAboutRecord, besides = [] } = selection;
  const isOfRecord = ({ id, parameters }: ApiOperation) =>
    besides.includes(id) || parameters.some((parameter) => parameter.name === record);
  return operations.filter((operation) => operation.tag === tag && isOfRecord(operation) === isAboutRecord);
}
