import type { operations } from './generated/schema.js';

/** The types of methods, made from the operations of the OpenAPI document. */

export type OperationId = keyof operations;

type Flat<T> = { [Key in keyof T]: T[Key] };
/** What is intersected for a part that an operation does not have: nothing. */
type Part<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>;
type BodyOf<O> = O extends { requestBody?: infer Body }
  ? NonNullable<Body> extends { content: { 'application/json': infer Json } }
    ? Json
    : unknown
  : unknown;
type ContentOf<O> = O extends { responses: infer Responses } ? Responses[keyof Responses] : never;

/** Path, query and body of an operation as one flat object. */
export type InputOf<Id extends OperationId> = Flat<
  Part<operations[Id]['parameters']['query']> & Part<operations[Id]['parameters']['path']> & BodyOf<operations[Id]>
>;

/** What an operation answers with when it succeeds. */
export type OutputOf<Id extends OperationId> =
  ContentOf<operations[Id]> extends { content: { 'application/json': infer Json } } ? Json : DownloadedFile;

export interface DownloadedFile {
  bytes: Uint8Array;
  contentType: string;
  /** As the sender of the file named it; not safe as a path. */
  filename: string | null;
}

/** What can be said about any single call. */
export interface CallOptions {
  /** Ends the call; the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Sent as well. An `X-Request-Id` is kept by the server, in its logs and in the answer. */
  headers?: Record<string, string> | undefined;
  /** Milliseconds each attempt may take, instead of the client's setting. */
  timeoutMs?: number | undefined;
  /** Instead of the client's setting. */
  maximumRetries?: number | undefined;
}

export interface ConditionalReadOptions extends CallOptions {
  /** The `etag` of an earlier answer; while the resource is still the same, the answer is `null`. Without one, it is an ordinary read. */
  ifNoneMatch: string | null | undefined;
}

export interface WriteOptions extends CallOptions {
  /** Names this write, at most once carried out by the server within 24 hours. A random one unless given. */
  idempotencyKey?: string | undefined;
  /** The `etag` that the resource must still have; else nothing is written and the error's status is 412. */
  ifMatch?: string | null | undefined;
}

export interface MergePatchOptions extends WriteOptions {
  /** Sends a merge patch (RFC 7396): inside objects too, what is left out stays and null removes. */
  mergePatch?: boolean | undefined;
}

/** What was answered beside the data. */
export interface ResponseMeta {
  status: number;
  headers: Headers;
  /** The version of a single resource, for `ifMatch` and `ifNoneMatch`. */
  etag: string | null;
  /** Names this request in the server's logs. */
  requestId: string | null;
  /** Requests of this UTC day; null on plans without a limit. */
  rateLimit: { limit: number; remaining: number; resetAt: Date } | null;
  /** True where an earlier answer to the same idempotency key was repeated. */
  replayed: boolean;
}

export interface Answer<T> {
  data: T;
  response: ResponseMeta;
}

/** A call under way: await it for the data, or `withResponse()` for the data and what came with it. */
export interface Call<T> extends Promise<T> {
  withResponse(): Promise<Answer<T>>;
}

/** Input and options, the input optional where nothing in it is required. */
type Arguments<Input, Options> = [keyof Input] extends [never]
  ? [input?: Record<string, never>, options?: Options]
  : Record<never, never> extends Input
    ? [input?: Input, options?: Options]
    : [input: Input, options?: Options];

/** @throws FrontdeskError, FrontdeskConnectionError */
export interface ReadMethod<Id extends OperationId> {
  (input: InputOf<Id>, options: ConditionalReadOptions): Call<OutputOf<Id> | null>;
  (...args: Arguments<InputOf<Id>, CallOptions>): Call<OutputOf<Id>>;
}

/** @throws FrontdeskError, FrontdeskConnectionError */
export type WriteMethod<Id extends OperationId> = (...args: Arguments<InputOf<Id>, WriteOptions>) => Call<OutputOf<Id>>;

/** @throws FrontdeskError, FrontdeskConnectionError */
export type MergePatchMethod<Id extends OperationId> = (...args: Arguments<InputOf<Id>, MergePatchOptions>) => Call<OutputOf<Id>>;

/** A file to send; a `Blob` says its type, a `File` its name as well. */
export type UploadedFile = Blob | Uint8Array<ArrayBuffer>;

/** @throws FrontdeskError, FrontdeskConnectionError */
export type UploadMethod<Id extends OperationId> = (
  input: InputOf<Id> & { file: UploadedFile },
  options?: WriteOptions,
) => Call<OutputOf<Id>>;

/** Items of all pages, fetched as they are asked for. @throws FrontdeskError, FrontdeskConnectionError */
export type AllMethod<Id extends OperationId, Item> = (
  ...args: Arguments<Omit<InputOf<Id>, 'offset'>, CallOptions>
) => AsyncGenerator<Item, void, undefined>;
