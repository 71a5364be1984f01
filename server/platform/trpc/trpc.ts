import { initTRPC, TRPCError } from '@trpc/server';
import type { OpenApiMeta } from 'trpc-to-openapi';
import * as z from 'zod';
import type { Actor, IdentityActor, SessionActor } from '../actor';
import { type AccessRules, requireAccess } from '../auth/access';
import { asAgent } from '../auth/agent-field';
import { requireFresh } from '../auth/fresh-sign-in';
import { noteSecurityEvent } from '../auth/security-log';
import { AppError, invalidFields, isAppError, toAppError } from '../errors';
import { fieldErrorsOf } from '../fields.schema';
import { findUnsupportedValues } from '../http/unsupported-values';
import { log } from '../log';
import { logFailure } from '../outage-log';
import { inSomeRequest, requestOf } from '../request-scope';

/** Additions of a procedure to its response: cookies, or another success status than in its metadata. */
export interface AnswerParts {
  readonly headers: Headers;
  status?: 200 | 201;
}

/** Input of every procedure, independent of the transport. */
export interface Context {
  /** Null for an unauthenticated caller; only procedures with access `public` run then. */
  actor: Actor | null;
  requestId: string;
  /** How a PATCH treats omitted fields inside an object; see contract section 4. */
  patchSemantics: 'replace' | 'merge';
  response: AnswerParts;
  /** The client's address, for throttling. */
  clientAddress: string;
  /** Aborted when the client has disconnected. */
  readonly gone?: AbortSignal | undefined;
  /** Requires that the caller may still make this call, for one that has waited. @throws AppError as at the beginning */
  readmit?: (() => Promise<void>) | undefined;
  /** The browser's Cookie header, for cookies other than the session's. */
  cookies?: string | null;
}

/**
 * Who may call a procedure.
 * - `identity`: acts for one identity, over REST and in the dashboard
 * - `dashboard`: acts for one identity, but only for its signed-in members
 * - `account`: acts for the signed-in person
 * - `public`: no authentication
 */
export type Access = 'identity' | 'dashboard' | 'account' | 'public';

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
  /**
   * For the document: additional statuses, beyond those derived from method, path and input (404 follows from a path
   * parameter).
   */
  errors?: readonly (404 | 409)[];
  /** True if the change does not concern the resource's own state, so that If-Match has no meaning. */
  unconditional?: boolean;
  /** Output keys that change automatically and are ignored by If-Match. */
  volatile?: readonly string[];
  /** For the document: when a creating operation answers 200 because it was already done. */
  alreadyDone?: string;
}

/**
 * What a procedure declares. Those with access `identity` or `dashboard` name in `scope` what an API key needs to call it, and
 * what a member's role has to include (`roleScope` where that differs); `notForAgents` refuses keys of agents.
 */
export type Meta = OpenApiMeta<
  AccessRules & {
    access?: Access;
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

/** The AppError behind an error of tRPC: a service's own, an input error, or a masked fault. */
export function appErrorOf(error: unknown): AppError {
  if (error instanceof TRPCError) {
    if (error.cause instanceof z.core.$ZodError && error.code === 'BAD_REQUEST') {
      return invalidFields(fieldErrorsOf(error.cause));
    }
    if (!isAppError(error.cause) && error.code !== 'INTERNAL_SERVER_ERROR') return transportError(error);
  }
  return toAppError(error);
}

/** Maps tRPC's own errors (unknown path, wrong method, unreadable batch). */
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
      // A schema that throws anything but its own error is a defect of ours; a body that is not JSON is the client's.
      if (error.cause && !(error.cause instanceof SyntaxError))
        log().error({ err: error.cause }, 'an input could not be checked');
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

/** Notes throttling in the security log. For API keys, the transport notes all refusals. */
function noteThrottling({ status, code, isLogged }: AppError, { actor, clientAddress, requestId }: Context, path: string): void {
  if (status !== 429 || isLogged || actor?.kind === 'apiKey') return;
  noteSecurityEvent({
    kind: 'rate_limited',
    reason: code,
    userId: actor?.kind === 'session' ? actor.userId : null,
    address: clientAddress,
    subject: path,
    requestId: (actor && requestOf(actor)?.requestId) ?? requestId,
  });
}

/** Wraps an error as a TRPCError with an AppError; logs server errors, and throttling in the security log. */
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

/** True for procedures that act for an identity, which alone need a scope. */
function isOfIdentity(meta: Meta | undefined): meta is Meta {
  return meta?.access === 'identity' || meta?.access === 'dashboard';
}

/**
 * The checks before every procedure, in one middleware, since each costs time. `admit` authorises the actor and returns it.
 * Then, before any input is parsed, a fresh sign-in is required if the procedure wants one. Values the database or a number
 * can't represent are refused before any schema. All errors get their final form.
 */
function guard<Admitted extends Actor | null>(admit: (actor: Actor | null) => Admitted) {
  return t.middleware(async ({ next, ctx, path, meta, getRawInput }) => {
    try {
      const actor = admit(ctx.actor);
      if (actor && isOfIdentity(meta)) requireAccess(actor, meta);
      if (meta?.fresh) requireFresh(ctx.actor);
      const fields = findUnsupportedValues(await getRawInput());
      if (fields) throw invalidFields(fields);
    } catch (error) {
      throw failureOf(error, ctx, path);
    }
    // The context already has this actor; only its type changes.
    // tRPC's types have either another context or another input.
    const filled = { getRawInput: async () => asAgent(ctx.actor, meta?.agentField, await getRawInput()) };
    const run = () => next<{ actor: Admitted }>(meta?.agentField === undefined ? {} : (filled as object));
    const result = await (ctx.actor ? inSomeRequest({ actor: ctx.actor, requestId: ctx.requestId }, run) : run());
    if (!result.ok) throw failureOf(result.error, ctx, path);
    return result;
  });
}

/** The parts of an `identityProcedure` without additional middleware. */
export interface PlainProcedure {
  input: z.ZodType;
  output: z.ZodType;
  meta: Meta;
  resolver(options: { ctx: Context; input: unknown }): unknown;
}

/**
 * Does what tRPC does for such a procedure: `guard`, schemas, resolver. In one step, while tRPC copies its options at each: a
 * tenth of the CPU time of a small request.
 * @throws TRPCError with an AppError as its cause
 */
export async function runPlain(
  { input, output, meta, resolver }: PlainProcedure,
  ctx: Context,
  path: string,
  sent: unknown,
): Promise<unknown> {
  try {
    const actor = actorWithIdentity(ctx.actor);
    requireAccess(actor, meta);
    const fields = findUnsupportedValues(sent);
    if (fields) throw invalidFields(fields);
    const parsed = input.safeParse(asAgent(actor, meta.agentField, sent));
    if (!parsed.success) throw invalidFields(fieldErrorsOf(parsed.error));
    const run = () => resolver({ ctx, input: parsed.data });
    return output.parse(await inSomeRequest({ actor, requestId: ctx.requestId }, run));
  } catch (error) {
    throw failureOf(error, ctx, path);
  }
}

/** For everyone. */
export const publicProcedure = t.procedure.meta({ access: 'public' }).use(guard((actor) => actor));

/** For the signed-in person. */
export const accountProcedure = t.procedure.meta({ access: 'account' }).use(guard(signedIn));

/** For the signed-in members of the current identity; not for API keys. */
export const dashboardProcedure = t.procedure
  .meta({ access: 'dashboard' })
  .use(guard((actor) => actorWithIdentity(signedIn(actor)) as SessionActor & IdentityActor));

/** For anyone acting for one identity: its members in the dashboard, or an API key over REST. */
export const identityProcedure = t.procedure.meta({ access: 'identity' }).use(guard(actorWithIdentity));

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

/** The output of an operation that returns nothing else, once `work` is done. */
export async function successOf(work: Promise<unknown>): Promise<{ success: true }> {
  await work;
  return { success: true };
}

/** The same for work that results in a cookie for the browser. */
export async function successWithCookie({ response }: Context, work: Promise<string>): Promise<{ success: true }> {
  response.headers.append('Set-Cookie', await work);
  return { success: true };
}

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;
