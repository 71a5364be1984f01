import type { Actor, ActorRequest, IdentityActor, RequestIds, SessionActor } from '../actor';
import { requireAccess } from '../auth/access';
import { asAgent } from '../auth/agent-field';
import { requireFresh } from '../auth/fresh-sign-in';
import { noteSecurityEvent } from '../auth/security-log';
import { pool } from '../db/pool';
import type { Version } from '../db/record-version';
import type { RowReader } from '../db/sql';
import { AppError, invalidFields, toAppError } from '../errors';
import { fieldErrorsOf } from '../fields.schema';
import { isUnchanged } from '../http/if-none-match';
import type { ReceivedFile } from '../http/received-file';
import { onBehalfOf } from '../on-behalf-of';
import { logFailure } from '../outage-log';
import { requireMatch, stale, versionIn, versionTag } from './entity-tag';
import { answerOnce, idempotencyKeyOf, type KeptAnswer, type Once } from './idempotency';
import { type AnswerParts, type Context, createsOf, type Operation, type RecordVersion } from './operation';
import { findUnsupportedValues } from './unsupported-values';

/** The request that a call came with. */
export interface CallRequest {
  ids: RequestIds;
  /** Shown to the client; its own id if it sent one. */
  requestId: string;
  /** The client's IP address. */
  clientAddress: string;
  /** Aborted when the client has disconnected; made on first use. */
  readonly gone?: AbortSignal | undefined;
}

/**
 * A call of an operation, as its transport sees it: REST, tRPC, or a page being rendered. `Answer` is what the transport makes of
 * an output or an error.
 */
export interface Call<Answer> {
  readonly request: CallRequest;
  /** What is called, for the security log. */
  readonly subject: string;
  readonly patchSemantics: Context['patchSemantics'];
  readonly response: AnswerParts;
  readonly cookies: string | null;
  /** Who calls; null for a caller without a session. @throws AppError for a wrong key */
  identify(): Promise<Actor | null>;
  /** The same for a caller who has waited, so that nothing known of them before counts. */
  identifyAgain(): Promise<Actor | null>;
  /** Counts the call against the caller's limits. @throws AppError rate_limit_exceeded */
  admit?(actor: Actor | null): Promise<void>;
  /** Reads the input, and the file, for a caller who may call the operation, and goes on with it. */
  read(actor: Actor | null, goOn: (sent: unknown) => Promise<Answer>): Promise<Answer>;
  /** The file, once it is read; for operations with `rest.upload`. */
  readonly file?: ReceivedFile | undefined;
  /** Null without. */
  readonly ifMatch: string | null;
  /** Null without. */
  readonly ifNoneMatch?: string | null;
  /** The answer to who has that of this tag. */
  notModified?(tag: string): Promise<Answer>;
  /** Undefined without an Idempotency-Key. */
  readonly once?: CallOnce<Answer> | undefined;
  /** The answer of a call that was carried out. */
  answer(output: unknown): Answer | Promise<Answer>;
  /** The answer of one that failed, which is logged already. */
  fail(error: AppError): Answer | Promise<Answer>;
}

/** What a call with an Idempotency-Key brings. */
export interface CallOnce<Answer> {
  /** The header. */
  readonly key: string;
  /** The request as a text; equal requests have equal texts. */
  content(sent: unknown): string;
  keep(answer: Answer): KeptAnswer;
  replay(kept: KeptAnswer): Answer;
}

/**
 * Carries out a call of an operation: identify and admit the caller → require access → read the input → Idempotency-Key → parse →
 * If-Match or If-None-Match → service → output (docs/adr/0033). The input of a caller without access is not read.
 * Never throws: a failure is logged and becomes the answer.
 */
export async function invoke<Answer>(operation: Operation, call: Call<Answer>): Promise<Answer> {
  let actor: Actor | null = null;
  try {
    actor = await call.identify();
    await call.admit?.(actor);
    requireCaller(operation, actor);
    return await call.read(actor, (sent) => carryOut({ operation, call, actor, sent }));
  } catch (error) {
    return call.fail(failureOf(error, operation, call, actor));
  }
}

/** A call with its caller and its input. */
interface Invocation<Answer> {
  operation: Operation;
  call: Call<Answer>;
  actor: Actor | null;
  sent: unknown;
}

/** Runs the call; with an Idempotency-Key, only once (docs/adr/0012). */
function carryOut<Answer>(invocation: Invocation<Answer>): Promise<Answer> {
  const { operation, call, actor, sent } = invocation;
  // Before serialising: input with excessive nesting can be parsed, but not serialised.
  const unsupported = findUnsupportedValues(sent);
  if (unsupported) throw invalidFields(unsupported);
  const once = onceOf(invocation);
  if (!once) return change(invocation, call.request.ids);
  return answerOnce(once, (idempotency) =>
    change(invocation, { ...call.request.ids, idempotency }).catch((error: unknown) =>
      call.fail(failureOf(error, operation, call, actor)),
    ),
  );
}

/**
 * How to carry the call out once. A program's changes all are. The dashboard's are if they create something or are conditional;
 * others may have been reverted since, and simply run again.
 */
function onceOf<Answer>({ operation, call, actor, sent }: Invocation<Answer>): Once<Answer> | undefined {
  const { once } = operation.type === 'query' ? {} : call;
  if (!once || !actor || actor.kind === 'system') return undefined;
  const key = idempotencyKeyOf(once.key);
  const creates = createsOf(operation);
  if (actor.kind === 'session' && !creates && call.ifMatch === null) return undefined;
  const { keep, replay } = once;
  const content = once.content(sent);
  return { actor, key, requestId: call.request.requestId, content, answersSecret: creates === 'secret', keep, replay };
}

/** Runs the call; with If-Match or If-None-Match, under that condition. */
async function change<Answer>(invocation: Invocation<Answer>, request: ActorRequest): Promise<Answer> {
  const { operation, call, actor } = invocation;
  const { target } = operation;
  if (target && actor && call.ifMatch !== null) return changeIfCurrent(invocation, target, request, actor, call.ifMatch);
  const tag = await knownTag(invocation);
  return tag && call.notModified ? call.notModified(tag) : call.answer(await run(invocation, request));
}

/**
 * Makes a change if its record is still the one that the caller has read.
 * @throws AppError precondition_failed with the current tag, which is for those who may read the record
 */
async function changeIfCurrent<Answer>(
  invocation: Invocation<Answer>,
  target: Operation,
  request: ActorRequest,
  actor: Actor,
  ifMatch: string,
): Promise<Answer> {
  requireCaller(target, actor);
  let wasChecked = false;
  const precondition = async (db: RowReader) => {
    wasChecked = true;
    const revision = await target.version?.lock(db, actor as IdentityActor, inputOf(target, invocation));
    return () => requireMatch(ifMatch, revision ?? null);
  };
  try {
    const output = await run(invocation, { ...request, precondition });
    // Nothing was changed, but the precondition still applies.
    if (!wasChecked) (await onBehalfOf(actor, () => precondition(pool())))();
    return await invocation.call.answer(output);
  } catch (error) {
    if (toAppError(error).code !== 'precondition_failed') throw error;
    const version = await versionOf(target, invocation);
    throw stale(version && versionTag(version));
  }
}

/** The tag of a record that the caller has as it is; null if it may be another one. */
async function knownTag<Answer>({ operation, call, actor, sent }: Invocation<Answer>): Promise<string | null> {
  const { version } = operation;
  const { ifNoneMatch = null } = call;
  if (!version?.read || !actor || ifNoneMatch === null) return null;
  const current = await readVersion(version, actor, parse(operation, sent));
  const tag = current && versionTag(current);
  return tag && isUnchanged(ifNoneMatch, tag) ? tag : null;
}

async function readVersion({ read }: RecordVersion<unknown, unknown>, actor: Actor, input: unknown): Promise<Version | null> {
  return onBehalfOf(actor, async () => (await read?.(actor as IdentityActor, input)) ?? null);
}

/** The input of a record's GET, from that of a call about it. */
function inputOf<Answer>(target: Operation, { sent }: Invocation<Answer>): unknown {
  const input = (sent ?? {}) as Record<string, unknown>;
  const parameters = [...(target.meta.openapi?.path ?? '').matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, input[name]]);
  return parse(target, Object.fromEntries(parameters));
}

/** The version of the record that a call is about, as its GET would answer it; null if there is none. */
async function versionOf<Answer>(target: Operation, invocation: Invocation<Answer>): Promise<Version | null> {
  const { call, actor } = invocation;
  const input = inputOf(target, invocation);
  try {
    if (target.version?.read && actor) return await readVersion(target.version, actor, input);
    return versionIn(await run({ operation: target, call, actor, sent: input }, call.request.ids), target.version);
  } catch (error) {
    if (toAppError(error).status === 404) return null;
    throw error;
  }
}

/** Parses the input, lets the service do its work, and checks the output. */
async function run<Answer>({ operation, call, actor, sent }: Invocation<Answer>, request: ActorRequest): Promise<unknown> {
  const { check, meta, handle, output } = operation;
  const caller = actor && actor.kind !== 'system' ? { ...actor, request } : actor;
  check?.(sent);
  const input = parse(operation, asAgent(caller, meta.agentField, sent));
  // Place of the approval gate: who may call, with what, and nothing done yet.
  const ctx = contextOf(operation, call, caller);
  const done = await (caller ? onBehalfOf(caller, () => handle({ ctx, input })) : handle({ ctx, input }));
  return output.parse(done);
}

function parse({ input }: Operation, sent: unknown): unknown {
  if (!input) return undefined;
  const parsed = input.safeParse(sent);
  if (!parsed.success) throw invalidFields(fieldErrorsOf(parsed.error));
  return parsed.data;
}

function contextOf<Answer>(operation: Operation, call: Call<Answer>, actor: Actor | null): Context {
  const { request, patchSemantics, response, cookies, file } = call;
  return {
    actor,
    requestId: request.requestId,
    patchSemantics,
    response,
    clientAddress: request.clientAddress,
    cookies,
    file,
    // Made on first use.
    get gone() {
      return request.gone;
    },
    readmit: async () => {
      const now = await call.identifyAgain();
      if (now?.identityId !== actor?.identityId) throw signedOut();
      requireCaller(operation, now);
    },
  };
}

/** Requires that the caller may call the operation at all. @throws AppError */
function requireCaller({ access, meta }: Operation, actor: Actor | null): void {
  if (access === 'public') return;
  if (access === 'account' || access === 'dashboard') requireSession(actor);
  if (access !== 'account') requireAccess(requireIdentity(actor), meta);
  if (meta.fresh) requireFresh(actor);
}

function requireSession(actor: Actor | null): SessionActor {
  if (actor?.kind !== 'session') throw signedOut();
  return actor;
}

function requireIdentity(actor: Actor | null): IdentityActor {
  if (actor === null) throw signedOut();
  if (actor.identityId === null) throw new AppError('identity_not_found', 'This account has no identity yet.');
  return actor as IdentityActor;
}

function signedOut(): AppError {
  return new AppError('signed_out', 'Sign in to go on.');
}

/** The client's error; logs server errors, and refusals in the security log. */
function failureOf<Answer>(thrown: unknown, { name, explain }: Operation, call: Call<Answer>, actor: Actor | null): AppError {
  const seen = toAppError(thrown);
  const error = explain?.(seen) ?? seen;
  noteRefusal(error, actor, call.subject, call.request);
  if (error.status >= 500) {
    const cause = (thrown as Error).cause ?? thrown;
    logFailure(cause, { requestId: call.request.requestId, procedure: name }, 'request failed', error);
  }
  return error;
}

/** Notes refusals of keys, and throttling of any caller, in the security log. */
export function noteRefusal(
  { status, code, isLogged }: AppError,
  actor: Actor | null,
  subject: string,
  { clientAddress: address, ids: { requestId } }: CallRequest,
): void {
  const event = { reason: code, address, subject, requestId };
  if (actor?.kind === 'apiKey') {
    const { identityId } = actor;
    if (status === 403) noteSecurityEvent({ kind: 'scope_refused', identityId, ...event });
    if (status === 429) noteSecurityEvent({ kind: 'rate_limited', identityId, ...event });
  } else if (status === 429 && !isLogged) {
    noteSecurityEvent({ kind: 'rate_limited', userId: actor?.kind === 'session' ? actor.userId : null, ...event });
  }
}
