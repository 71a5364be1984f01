import { createHash } from 'node:crypto';
import { answers } from '@/server/features/calendar/invitee.schema';
import { answerInvitation, findInvitation } from '@/server/features/calendar/rsvp.service';
import { isReachedByHttps } from '@/server/platform/env';
import { AppError, type ErrorCode } from '@/server/platform/errors';
import { mediaTypeOf, readBytes } from '@/server/platform/http/request-body';
import { requestIdOf } from '@/server/platform/http/request-id';
import { answerPageSecurityHeaders } from '@/server/platform/http/security-headers';
import { logFailure } from '@/server/platform/outage-log';
import { oncePerProcess } from '@/server/platform/process-globals';
import type { RestAnswer, RestRequest } from '@/server/platform/rest/http-message';
import { appErrorOf } from '@/server/platform/trpc/trpc';
import { renderAnswerPage } from './answer-page';
import { renderMessage } from './message-page';
import { stylesheet } from './stylesheet';

/** Where somebody invited answers: `/rsvp/{token}`. The token is the right to; no cookie is read or set. */
export const answerPagePrefix = '/rsvp';

const formType = 'application/x-www-form-urlencoded';
const maximumBodyBytes = 4 * 1024;

function commonHeaders(requestId: string): Record<string, string> {
  const security = oncePerProcess('answer-page-headers', () =>
    answerPageSecurityHeaders({
      styleHash: createHash('sha256').update(stylesheet).digest('base64'),
      https: isReachedByHttps(),
    }),
  );
  return { ...security, 'X-Request-Id': requestId };
}

function page(status: number, body: string, requestId: string): RestAnswer {
  return { status, headers: { ...commonHeaders(requestId), 'Content-Type': 'text/html; charset=utf-8' }, body };
}

function noInvitation(): AppError {
  return new AppError('not_found', 'There is no such invitation.');
}

/** What follows `/rsvp/`; mail programs encode what need not be. */
function tokenOf(pathname: string): string {
  try {
    return decodeURIComponent(pathname.slice(answerPagePrefix.length + 1));
  } catch {
    throw noInvitation();
  }
}

async function show(token: string, query: string, requestId: string): Promise<RestAnswer> {
  const invitation = await findInvitation(token);
  if (!invitation) throw noInvitation();
  const pressed = new URLSearchParams(query).get('answer');
  const chosen = answers.find((answer) => answer === pressed) ?? null;
  return page(200, renderAnswerPage({ ...invitation, chosen, now: Date.now() }), requestId);
}

async function answerOf(request: RestRequest): Promise<string | null> {
  if (mediaTypeOf(request) !== formType) throw new AppError('unsupported_media_type', `Send the answer as ${formType}.`);
  const form = new URLSearchParams(Buffer.from(await readBytes(request, maximumBodyBytes)).toString());
  const [answer = null, ...others] = form.getAll('answer');
  return others.length === 0 ? answer : null;
}

/**
 * Records the answer and leads back to the page, so that reloading it sends nothing again. Where a request comes from makes no difference:
 * it carries no cookie that somebody else's page could make use of, and from a page without referrer browsers say `Origin: null` anyway.
 */
async function record(token: string, request: RestRequest, requestId: string): Promise<RestAnswer> {
  const recorded = await answerInvitation(token, await answerOf(request));
  // Nothing is recorded of what has been cancelled meanwhile; the page says so.
  if (!recorded && !(await findInvitation(token))) throw noInvitation();
  return { status: 303, headers: { ...commonHeaders(requestId), Location: `${answerPagePrefix}/${token}` }, body: '' };
}

async function answer(request: RestRequest, requestId: string): Promise<RestAnswer> {
  const { method, pathname, query } = request;
  if (method === 'GET' || method === 'HEAD') return show(tokenOf(pathname), query, requestId);
  if (method === 'POST') return record(tokenOf(pathname), request, requestId);
  throw new AppError('method_not_allowed', 'This page has: GET, HEAD, POST.', { headers: { Allow: 'GET, HEAD, POST' } });
}

const notTaken = { title: 'Your answer was not recorded', goesBack: true };

/** What readers are told; they know nothing of requests. */
const messages: Partial<Record<ErrorCode, Parameters<typeof renderMessage>[0]>> = {
  not_found: {
    title: 'This invitation is not here',
    text: 'The link may be incomplete, or you are no longer invited. Open it from the mail once more, or write to whoever invited you.',
  },
  invalid_request: { ...notTaken, text: 'It was none of accept, maybe or decline. Go back and press one of the buttons.' },
  unsupported_media_type: { ...notTaken, text: 'It was not sent as a form. Go back and press one of the buttons.' },
  payload_too_large: { ...notTaken, text: 'Far more than an answer was sent. Go back and press one of the buttons.' },
  method_not_allowed: { title: 'This page can only be read and answered', text: 'Open it from the mail once more.' },
  unavailable: {
    title: 'This page can’t be shown right now',
    text: 'We can’t look up the invitation at this moment, and nothing was changed. Please try again in a few seconds.',
  },
};

function failure(thrown: unknown, requestId: string): RestAnswer {
  const error = appErrorOf(thrown);
  if (error.status >= 500) logFailure(thrown, { requestId }, 'an invitation could not be shown or answered', error);
  const message = messages[error.code] ?? {
    title: 'Something went wrong on our side',
    text: `Please try again in a moment. If it stays like this, tell whoever invited you, with this number: ${requestId}`,
  };
  const { headers, ...rest } = page(error.status, renderMessage(message), requestId);
  return { ...rest, headers: { ...headers, ...error.headers } };
}

/** Answers `/rsvp/{token}`: GET and HEAD show the invitation and change nothing, POST records an answer (contract section 8). */
export async function answerAnswerPage(request: RestRequest): Promise<RestAnswer> {
  const requestId = requestIdOf(request.headers.get('x-request-id'));
  try {
    return await answer(request, requestId);
  } catch (thrown) {
    return failure(thrown, requestId);
  }
}
