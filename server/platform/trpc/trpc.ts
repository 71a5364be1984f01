import { initTRPC, TRPCError } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import * as z from 'zod';
import type { Actor, IdentityActor, SessionActor } from '../actor';
import { requireFresh } from '../auth/fresh-sign-in';
import { noteSecurityEvent } from '../auth/security-log';
import { AppError, invalidFields, isAppError, toAppError } from '../errors';
import { fieldErrorsOf } from '../fields.schema';
import { findUnstorable } from '../http/unstorable';
import { logFailure } from '../outage-log';
import { requestOf } from '../request-scope';

/** What a procedure may add to the response: cookies, or another status of success than its metadata's. */
export interface AnswerParts {
  readonly headers: Headers;
  status?: 200 | 201;
}

/** What every procedure gets, whichever transport called it. */
export interface Context {
  /** Null for somebody who is not signed in; only procedures of scope `public` run then. */
  actor: Actor | null;
  requestId: string;
  /** How a PATCH treats what is left out inside an object: see contract section 4. */
  patchSemantics: 'replace' | 'merge';
  response: AnswerParts;
  /** Where the caller comes from, for throttling. */
  clientAddress: string;
  /** The Cookie header of a browser, for cookies other than the session's. */
  cookies?: string | null;
}

/**
 * - `identity`: acts for one identity, over REST and in the dashboard
 * - `dashboard`: acts for one identity, but only for its signed-in owner
 * - `account`: the signed-in person as such
 * - `public`: nobody in particular
 */
export type Scope = 'identity' | 'dashboard' | 'account' | 'public';

/** Options of the REST facade that trpc-to-openapi's metadata has no place for. */
export interface RestOptions {
  /** Status of success; 200 unless said otherwise. */
  status?: 200 | 201;
  /** Largest body in bytes; 1 MiB unless said otherwise (contract section 2). */
  maximumBodyBytes?: number;
  /** True where the call makes sense without a body (publish, unpublish). */
  bodyOptional?: boolean;
  /** True where `application/merge-patch+json` is accepted as well. */
  acceptsMergePatch?: boolean;
  /** True where the output describes a stored file (`storedContentSchema`), whose bytes then are the answer's body. */
  download?: boolean;
  /** For the document: statuses beyond those that follow from method, path and input (404 follows from a path parameter). */
  errors?: readonly (404 | 409)[];
  /** True where a change is of somebody's own and not of the resource it is about, so that If-Match means nothing. */
  unconditional?: boolean;
  /** Keys of the output that change by themselves, so that a change under If-Match does not fail for them. */
  volatile?: readonly string[];
  /** For the document: when a creating operation answers 200 instead, having found its work done already. */
  alreadyDone?: string;
}

export type Meta = OpenApiMeta<{
  scope?: Scope;
  rest?: RestOptions;
  /** Someone signed in must have confirmed in the last ten minutes that it is them; keys are not asked (docs/adr/0015). */
  fresh?: true;
  /**
   * Makes something new, so that the dashboard's call may come again with its Idempotency-Key and nothing more is made (docs/adr/0012).
   * REST's status 201 says the same. A `secret` in the answer is never stored, so the answer is not given again.
   */
  creates?: 'record' | 'secret';
}>;

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

/** The AppError behind whatever tRPC reports: a service's own, a failed input parse, or a masked fault. */
export function appErrorOf(error: unknown): AppError {
  if (error instanceof TRPCError) {
    if (error.cause instanceof z.core.$ZodError && error.code === 'BAD_REQUEST') {
      return invalidFields(fieldErrorsOf(error.cause));
    }
    if (!isAppError(error.cause) && error.code !== 'INTERNAL_SERVER_ERROR') return transportError(error);
  }
  return toAppError(error);
}

/** tRPC's own refusals (unknown path, wrong method, unreadable batch). */
function transportError(error: TRPCError): AppError {
  switch (error.code) {
    case 'NOT_FOUND':
      return new AppError('not_found', 'There is no such operation.');
    case 'METHOD_NOT_SUPPORTED':
      return new AppError('method_not_allowed', 'This operation has another method.');
    case 'UNSUPPORTED_MEDIA_TYPE':
      return new AppError('unsupported_media_type', 'Send the body as application/json.');
    case 'PAYLOAD_TOO_LARGE':
      return new AppError('payload_too_large', 'The body is too large.');
    default:
      return new AppError('invalid_request', 'The request could not be read.');
  }
}

const t = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    errorFormatter({ shape, error, ctx }) {
      const appError = appErrorOf(error);
      return {
        code: shape.code,
        message: appError.message,
        data: {
          code: appError.code,
          httpStatus: appError.status,
          title: appError.title,
          details: appError.details,
          requestId: ctx?.requestId,
        },
      };
    },
  });

/** Notes in the security log what comes too often. Where a key calls, its transport does, of all it refuses. */
function noteThrottling({ status, code, isNoted }: AppError, { actor, clientAddress, requestId }: Context, path: string): void {
  if (status !== 429 || isNoted || actor?.kind === 'apiKey') return;
  noteSecurityEvent({
    kind: 'rate_limited',
    reason: code,
    userId: actor?.kind === 'session' ? actor.userId : null,
    address: clientAddress,
    subject: path,
    requestId: (actor && requestOf(actor)?.requestId) ?? requestId,
  });
}

/** The TRPCError that carries what went wrong as an AppError; what is our own fault is logged, throttling in the security log. */
function failureOf(error: unknown, context: Context, path: string): TRPCError {
  const { requestId } = context;
  const appError = appErrorOf(error);
  noteThrottling(appError, context, path);
  if (appError.status >= 500) {
    logFailure((error as Error).cause ?? error, { requestId, procedure: path }, 'request failed', appError);
  }
  return new TRPCError({
    code: statusToTrpc[appError.status] ?? 'INTERNAL_SERVER_ERROR',
    message: appError.message,
    cause: appError,
  });
}

/**
 * What stands before every procedure, in one step, since each costs: lets no one through whom `admit` does not (it gives what it was
 * given), nor without a fresh sign-in where the procedure wants one, before anything that they sent is parsed; refuses what JSON can carry
 * but the database or a number can't hold, before any schema looks at it; and gives every error its form.
 */
function guard<Admitted extends Actor | null>(admit: (actor: Actor | null) => Admitted) {
  return t.middleware(async ({ next, ctx, path, meta, getRawInput }) => {
    try {
      admit(ctx.actor);
      if (meta?.fresh) requireFresh(ctx.actor);
      const fields = findUnstorable(await getRawInput());
      if (fields) throw invalidFields(fields);
    } catch (error) {
      throw failureOf(error, ctx, path);
    }
    // The context has this very actor already; only its type is another.
    const result = await next<{ actor: Admitted }>({});
    if (!result.ok) throw failureOf(result.error, ctx, path);
    return result;
  });
}

/** A procedure of `identityProcedure` without middleware of its own, taken apart. */
export interface PlainProcedure {
  input: z.ZodType;
  output: z.ZodType;
  resolver(options: { ctx: Context; input: unknown }): unknown;
}

/**
 * Does what tRPC does for such a procedure: `guard`, the schemas, the resolver. In one step, where tRPC copies its options at every
 * one of them: a tenth of the CPU time of a small request.
 *
 * @throws TRPCError with an AppError as its cause
 */
export async function runPlain(
  { input, output, resolver }: PlainProcedure,
  ctx: Context,
  path: string,
  sent: unknown,
): Promise<unknown> {
  try {
    actorWithIdentity(ctx.actor);
    const fields = findUnstorable(sent);
    if (fields) throw invalidFields(fields);
    const parsed = input.safeParse(sent);
    if (!parsed.success) throw invalidFields(fieldErrorsOf(parsed.error));
    return output.parse(await resolver({ ctx, input: parsed.data }));
  } catch (error) {
    throw failureOf(error, ctx, path);
  }
}

/** For anybody. */
export const publicProcedure = t.procedure.meta({ scope: 'public' }).use(guard((actor) => actor));

/** For the signed-in person. */
export const accountProcedure = t.procedure.meta({ scope: 'account' }).use(guard(signedIn));

/** For the signed-in owner of the identity at hand; not reachable with an API key. */
export const dashboardProcedure = t.procedure
  .meta({ scope: 'dashboard' })
  .use(guard((actor) => actorWithIdentity(signedIn(actor)) as SessionActor & IdentityActor));

/** For whoever acts for one identity: its owner in the dashboard, or an API key over REST. */
export const identityProcedure = t.procedure.meta({ scope: 'identity' }).use(guard(actorWithIdentity));

function signedIn(actor: Actor | null): SessionActor {
  if (actor?.kind !== 'session') throw signedOut();
  return actor;
}

function signedOut(): AppError {
  return new AppError('signed_out', 'Sign in to go on.');
}

function actorWithIdentity(actor: Actor | null): IdentityActor {
  if (actor === null) throw signedOut();
  if (actor.identityId === null) throw new AppError('identity_not_found', 'This account has no identity yet.');
  return actor as IdentityActor;
}

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;
