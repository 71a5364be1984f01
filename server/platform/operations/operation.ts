import type { OpenApiMeta } from 'trpc-to-openapi';
import type * as z from 'zod';
import type { Actor, IdentityActor, SessionActor } from '../actor';
import type { AccessRules } from '../auth/access';
import type { Version } from '../db/record-version';
import type { RowReader } from '../db/sql';
import type { AppError } from '../errors';
import type { ReceivedFile, Upload } from '../http/received-file';

/** Additions of an operation to its response: cookies, or another success status than in its metadata. */
export interface AnswerParts {
  readonly headers: Headers;
  status?: 200 | 201;
}

/** What an operation knows of its call besides the input, whatever the transport. */
export interface Context<Caller extends Actor | null = Actor | null> {
  /** Who calls, with the request that they do it in. */
  actor: Caller;
  requestId: string;
  /** How a PATCH treats omitted fields inside an object; see contract section 4. */
  patchSemantics: 'replace' | 'merge';
  response: AnswerParts;
  /** The client's address, for throttling. */
  clientAddress: string;
  /** Aborted when the client has disconnected. */
  readonly gone?: AbortSignal | undefined;
  /** Requires that the caller may still make this call, for one that has waited. @throws AppError as at the beginning */
  readmit: () => Promise<void>;
  /** The browser's Cookie header, for cookies other than the session's. */
  cookies: string | null;
  /** The file that was sent, for an operation with `rest.upload`. */
  file?: ReceivedFile | undefined;
}

/**
 * Who may call an operation.
 * - `identity`: acts for one identity, over REST and in the dashboard
 * - `dashboard`: acts for one identity, but only for its signed-in members
 * - `account`: acts for the signed-in person
 * - `public`: no authentication
 */
export type Access = 'identity' | 'dashboard' | 'account' | 'public';

/** The caller of an operation with that access. */
export interface CallerOf {
  identity: IdentityActor;
  dashboard: SessionActor & IdentityActor;
  account: SessionActor;
  public: Actor | null;
}

/** REST options that trpc-to-openapi's metadata lacks. */
export interface RestOptions {
  /** Success status; 200 by default. */
  status?: 200 | 201;
  /** Maximum body in bytes; 1 MiB by default (contract section 2). */
  maximumBodyBytes?: number;
  /** True if the body is optional (publish, unpublish). */
  bodyOptional?: boolean;
  /** True if `application/merge-patch+json` is also accepted. */
  acceptsMergePatch?: boolean;
  /** True if the output describes a stored file (`storedContentSchema`), whose bytes become the response body. */
  download?: boolean;
  /** If the body is a file (`ctx.file`); the input is in the query. */
  upload?: Upload;
  /**
   * For the document: additional statuses, beyond those derived from method, path and input (404 follows from a path
   * parameter).
   */
  errors?: readonly (404 | 409)[];
  /** For the document: true if it begins what its path names, so that it never answers 404. */
  begins?: boolean;
  /** True if the change does not concern the resource's own state, so that If-Match has no meaning. */
  unconditional?: boolean;
  /** For the document: when a creating operation answers 200 because it was already done. */
  alreadyDone?: string;
}

/**
 * What an operation declares. Those with access `identity` or `dashboard` name in `scope` what an API key needs to call it, and
 * what a member's role has to include (`roleScope` where that differs); `notForAgents` refuses keys of agents.
 */
export type Meta = OpenApiMeta<
  AccessRules & {
    rest?: RestOptions;
    /** The input field for the agent that acts (see `asAgent`): an agent's key is its agent's where it is left out. */
    agentField?: string;
    /** For the document: when a call makes mail leave, which needs `conversations:send` as well. */
    sends?: string;
    /** Requires a session confirmed in the last ten minutes; API keys are exempt (docs/adr/0015). */
    fresh?: true;
    /**
     * Creates something, so the dashboard may repeat the call with its Idempotency-Key without creating it twice (docs/adr/0012).
     * In REST, status 201 means the same. A response with a `secret` is never stored, so it can't be replayed.
     */
    creates?: 'record' | 'secret';
    /** Types of the events that the operation may write; [] for none. */
    events?: readonly string[];
  }
>;

/** How the GET of a record knows its version, for conditional requests (docs/adr/0034). */
export interface RecordVersion<Input, Output> {
  /** Locks the record until the open transaction ends. @returns its revision; null if there is none */
  lock(db: RowReader, actor: IdentityActor, input: Input): Promise<number | null>;
  /** What an answer shows of other records, which change without this one. */
  others?(output: Output): unknown;
  /** The version of an answer, read without making it; null if there is no such record. By default, an answer is made. */
  read?(actor: IdentityActor, input: Input): Promise<Version | null>;
}

/** An operation as its feature declares it. */
export interface Declaration {
  access: Access;
  type: 'query' | 'mutation';
  meta: Meta;
  /** Undefined if it has no input. */
  input: z.ZodType | undefined;
  output: z.ZodType;
  /** Refuses an input before its schema drops the keys that it does not know. @throws AppError */
  check?: ((sent: unknown) => void) | undefined;
  /** A more helpful error for one of the operation's own; undefined to leave it. */
  explain?: ((error: AppError) => AppError | undefined) | undefined;
  /** For the GET of a record. */
  version?: RecordVersion<unknown, unknown> | undefined;
  /** Does the work: calls a service. */
  handle(call: { ctx: Context; input: unknown }): unknown;
}

/** An operation of the product, which all transports carry out with `invoke`. */
export interface Operation extends Declaration {
  /** Its dotted name. */
  name: string;
  /** The GET of the record that a change is about; undefined if If-Match has no meaning. */
  target: Operation | undefined;
  /** The GET of the record that it answers; undefined if it answers none. */
  answers: Operation | undefined;
}

/** All operations by name. */
export type Operations = ReadonlyMap<string, Operation>;

/** Gives operations their names, and each change the resource that it is about. */
export function nameOperations(declared: Iterable<[string, Declaration]>): Operations {
  const operations = new Map<string, Operation>();
  for (const [name, declaration] of declared)
    operations.set(name, { ...declaration, name, target: undefined, answers: undefined });
  const records = [...operations.values()].filter(({ version }) => version);
  const byPath = new Map(records.map((record) => [pathOf(record), record]));
  const byOutput = new Map(records.map((record) => [record.output, record]));
  for (const operation of operations.values()) {
    operation.target = targetOf(operation, byPath);
    operation.answers = byOutput.get(operation.output);
  }
  return operations;
}

function pathOf({ meta }: Declaration): string {
  return meta.openapi?.path ?? '';
}

/**
 * The resource that a change is about: of the same path; for a part of a resource (a customer's contacts, the publishing of a
 * post), that resource.
 */
function targetOf(operation: Declaration, resources: ReadonlyMap<string, Operation>): Operation | undefined {
  const { openapi, rest } = operation.meta;
  if (!openapi || openapi.method === 'GET' || rest?.unconditional) return undefined;
  const own = openapi.method === 'POST' ? undefined : resources.get(openapi.path);
  if (own) return own;
  for (let path = parentOf(openapi.path); path !== ''; path = parentOf(path)) {
    if (path.endsWith('}')) return resources.get(path);
  }
  return undefined;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** True if a change responds with the same resource as a GET of its path, so that it can include the new tag. */
export function answersTarget({ target, answers, meta }: Operation): boolean {
  return target !== undefined && target === answers && target.meta.openapi?.path === meta.openapi?.path;
}

/** What a call creates, if anything. */
export function createsOf({ meta: { creates, rest } }: Declaration): Meta['creates'] {
  return creates ?? (rest?.status === 201 ? 'record' : undefined);
}
