import {
  type AnyTRPCRouter,
  initTRPC,
  type TRPCCreateRouterOptions,
  TRPCError,
  type TRPCMutationProcedure,
  type TRPCQueryProcedure,
} from '@trpc/server';
import type * as z from 'zod';
import type { Actor, IdentityActor } from '../actor';
import { AppError, isAppError, toAppError } from '../errors';
import type { ReceivedFile } from '../http/received-file';
import { log } from '../log';
import { type Call, type CallOnce, invoke } from '../operations/invoke';
import {
  type Access,
  type AnswerParts,
  type CallerOf,
  type Context,
  type Declaration,
  type Meta,
  nameOperations,
  type Operations,
  type RecordVersion,
} from '../operations/operation';

/**
 * tRPC as the router of all operations and the source of their types. A procedure only hands its call to `invoke`; what it declares
 * stays beside it, for `operationsOf`.
 */

/** tRPC's context: carries out the operation of that name. */
export interface TrpcContext {
  invoke(name: string, read: () => Promise<unknown>): Promise<unknown>;
  requestId: string;
}

const statusToTrpc: Record<number, TRPCError['code']> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_SUPPORTED',
  408: 'TIMEOUT',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  429: 'TOO_MANY_REQUESTS',
  503: 'SERVICE_UNAVAILABLE',
};

function toTrpcError(error: AppError): TRPCError {
  return new TRPCError({
    code: statusToTrpc[error.status] ?? 'INTERNAL_SERVER_ERROR',
    message: error.message,
    cause: error,
  });
}

/** The AppError behind an error of tRPC: an operation's, or one of its own (unknown path, wrong method, unreadable batch). */
function appErrorOf(error: TRPCError): AppError {
  if (isAppError(error.cause)) return error.cause;
  switch (error.code) {
    case 'INTERNAL_SERVER_ERROR':
      return toAppError(error);
    case 'NOT_FOUND':
      return new AppError('not_found', 'There is no such operation.');
    case 'METHOD_NOT_SUPPORTED':
      return new AppError('method_not_allowed', 'This operation has another method.');
    case 'UNSUPPORTED_MEDIA_TYPE':
      return new AppError('unsupported_media_type', 'Send the body as application/json.');
    case 'PAYLOAD_TOO_LARGE':
      return new AppError('payload_too_large', 'The body is too large.');
    default:
      // A body that is not JSON is the client's mistake.
      if (error.cause && !(error.cause instanceof SyntaxError)) log().error({ err: error.cause }, 'a call could not be read');
      return new AppError('invalid_request', 'The request could not be read.');
  }
}

const t = initTRPC
  .context<TrpcContext>()
  .meta<Meta>()
  .create({
    errorFormatter({ shape, error, ctx }) {
      const { code, message, status, title, details } = appErrorOf(error);
      return { code: shape.code, message, data: { code, httpStatus: status, title, details, requestId: ctx?.requestId } };
    },
  });

/** What procedures declare, and what routers consist of: tRPC keeps both among its private parts. */
const declarations = new WeakMap<object, Declaration>();
const records = new WeakMap<object, object>();

/** Leaves it to `invoke` when the input is read, and what is done with it. */
const procedure = t.procedure.use(({ getRawInput, next }) => {
  const read = () =>
    getRawInput().catch((error: unknown) => {
      throw error instanceof TRPCError ? appErrorOf(error) : error;
    });
  return next({ ctx: { read } });
});

type Declared = Pick<Declaration, 'access' | 'meta'> & Partial<Declaration>;

type Handler<Caller extends Actor | null, Input, Made> = (call: { ctx: Context<Caller>; input: Input }) => Made | Promise<Made>;

/** Declares a procedure in the way of tRPC's own builder. */
class ProcedureBuilder<Caller extends Actor | null, Sent, Input, Made, Output> {
  readonly #declared: Declared;

  constructor(declared: Declared) {
    this.#declared = declared;
  }

  #with(more: Partial<Declaration>): unknown {
    return new ProcedureBuilder({ ...this.#declared, ...more });
  }

  meta(meta: Meta): this {
    return this.#with({ meta }) as this;
  }

  input<Schema extends z.ZodType>(input: Schema) {
    return this.#with({ input }) as ProcedureBuilder<Caller, z.input<Schema>, z.output<Schema>, Made, Output>;
  }

  output<Schema extends z.ZodType>(output: Schema) {
    return this.#with({ output }) as ProcedureBuilder<Caller, Sent, Input, z.input<Schema>, z.output<Schema>>;
  }

  /** See `Declaration`. */
  check(check: (sent: unknown) => void): this {
    return this.#with({ check }) as this;
  }

  /** See `Declaration`. */
  explain(explain: (error: AppError) => AppError | undefined): this {
    return this.#with({ explain }) as this;
  }

  /** See `Declaration`. */
  version(version: RecordVersion<Input, Output>): this {
    return this.#with({ version: version as Declaration['version'] }) as this;
  }

  query(handle: Handler<Caller, Input, Made>) {
    const made = procedure.query(({ ctx, path }) => ctx.invoke(path, ctx.read));
    this.#declare(made, 'query', handle);
    return made as unknown as TRPCQueryProcedure<{ input: Sent; output: Output; meta: Meta }>;
  }

  mutation(handle: Handler<Caller, Input, Made>) {
    const made = procedure.mutation(({ ctx, path }) => ctx.invoke(path, ctx.read));
    this.#declare(made, 'mutation', handle);
    return made as unknown as TRPCMutationProcedure<{ input: Sent; output: Output; meta: Meta }>;
  }

  #declare(made: object, type: Declaration['type'], handle: Handler<Caller, Input, Made>): void {
    const { input, output, ...declared } = this.#declared;
    if (!output) throw new Error('A procedure needs an output schema.');
    declarations.set(made, { ...declared, input, output, type, handle: handle as Declaration['handle'] });
  }
}

function procedureFor<Of extends Access>(access: Of) {
  return new ProcedureBuilder<CallerOf[Of], void, undefined, never, never>({ access, meta: {} });
}

/** For everyone. */
export const publicProcedure = procedureFor('public');

/** For the signed-in person. */
export const accountProcedure = procedureFor('account');

/** For the signed-in members of the current identity; not for API keys. */
export const dashboardProcedure = procedureFor('dashboard');

/** For anyone acting for one identity: its members in the dashboard, or an API key over REST. */
export const identityProcedure = procedureFor('identity');

/** A router of procedures and routers. */
export function router<Parts extends TRPCCreateRouterOptions>(parts: Parts) {
  const made = t.router(parts);
  records.set(made, parts);
  return made;
}

/** The operations of a router, in the order of their declaration. */
export function operationsOf(root: AnyTRPCRouter): Operations {
  return nameOperations(declaredIn(root, ''));
}

function* declaredIn(part: object, prefix: string): Generator<[string, Declaration]> {
  for (const [key, inner] of Object.entries(records.get(part) ?? {})) {
    const declaration = declarations.get(inner as object);
    if (declaration) yield [prefix + key, declaration];
    else yield* declaredIn(inner as object, `${prefix}${key}.`);
  }
}

/** What all calls of one tRPC request share. */
export type TrpcCaller = Pick<Call<unknown>, 'request' | 'response' | 'cookies' | 'identify' | 'identifyAgain'> & {
  ifMatch?: string | null;
  /** The Idempotency-Key, and the request as a text. */
  once?: { key: string; content(file: ReceivedFile | undefined): string } | undefined;
  /** Reads the file, for an operation with `rest.upload`. */
  receive?: ((actor: IdentityActor) => Promise<ReceivedFile>) | undefined;
};

type Settled = { output: unknown } | { error: AppError };

/** Lets tRPC carry out operations for this caller. */
export function contextFor(operations: Operations, caller: TrpcCaller): TrpcContext {
  return {
    requestId: caller.request.requestId,
    invoke: async (name, read) => {
      const operation = operations.get(name);
      if (!operation) throw new Error(`There is no operation ${name}.`);
      const settled = await invoke(operation, callOf(caller, name, read));
      if ('error' in settled) throw toTrpcError(settled.error);
      return settled.output;
    },
  };
}

function callOf(caller: TrpcCaller, name: string, read: () => Promise<unknown>): Call<Settled> {
  const { request, response, cookies, ifMatch = null, once } = caller;
  let file: ReceivedFile | undefined;
  return {
    ...{ request, response, cookies, ifMatch, subject: name },
    get file() {
      return file;
    },
    // The dashboard sends only the changed fields of a form (contract section 4).
    patchSemantics: 'merge',
    identify: () => caller.identify(),
    identifyAgain: () => caller.identifyAgain(),
    read: async (actor, goOn) => {
      const sent = await read();
      // Its caller was required to have a business.
      file = await caller.receive?.(actor as IdentityActor);
      return goOn(sent);
    },
    once: once && { key: once.key, content: () => once.content(file), ...keptAsEnvelopes(response) },
    answer: (output) => ({ output }),
    fail: (error) => ({ error }),
  };
}

/** An answer of tRPC over HTTP (https://trpc.io/docs/rpc); a client that asks for a batch gets it in an array. */
interface Envelope {
  result?: { data: unknown };
  error?: { message: string; data: Pick<AppError, 'code' | 'details'> };
}

/** Answers are kept as tRPC would send them. */
function keptAsEnvelopes({ headers }: AnswerParts): Pick<CallOnce<Settled>, 'keep' | 'replay'> {
  return {
    keep: (settled) => {
      if ('output' in settled) {
        const envelope: Envelope = { result: { data: settled.output } };
        return { status: 200, headers: {}, cookies: headers.getSetCookie(), body: JSON.stringify(envelope) };
      }
      const { status, message, code, details } = settled.error;
      const envelope: Envelope = { error: { message, data: { code, details } } };
      return { status, headers: {}, body: JSON.stringify(envelope) };
    },
    replay: (kept) => {
      headers.set('Idempotent-Replayed', 'true');
      const [{ result, error } = {}] = [JSON.parse(String(kept.body)) as Envelope | Envelope[]].flat();
      if (!error) return { output: result?.data };
      const { code, details } = error.data;
      return { error: new AppError(code, error.message, details ? { details } : {}) };
    },
  };
}

/** The output of an operation that returns nothing else, once `work` is done. */
export async function successOf(work: Promise<unknown>): Promise<{ success: true }> {
  await work;
  return { success: true };
}

/** The same for work that results in a cookie for the browser. */
export async function successWithCookie(
  { response }: Pick<Context, 'response'>,
  work: Promise<string>,
): Promise<{ success: true }> {
  response.headers.append('Set-Cookie', await work);
  return { success: true };
}
