import { createHash } from 'node:crypto';
import { answers } from '@/server/features/calendar/invitee.schema';
import { answerInvitation, findInvitation } from '@/server/features/calendar/rsvp.service';
import { isReachedByHttps } from '@/server/platform/env';
import { AppError, type ErrorCode } from '@/server/platform/errors';
import type { ErrorForm } from '@/server/platform/http/error-answer';
import type { HttpAnswer, HttpRequest } from '@/server/platform/http/http-message';
import type { HttpRoute } from '@/server/platform/http/http-route';
import { mediaTypeOf, readBytes } from '@/server/platform/http/request-body';
import { rsvpPageSecurityHeaders } from '@/server/platform/http/security-headers';
import { oncePerProcess } from '@/server/platform/process-globals';
import { renderMessage } from './message-page';
import { renderRsvpPage } from './rsvp-page';
import { stylesheet } from './stylesheet';

/** The RSVP page: `/rsvp/{token}`. The token is the credential; no cookie is read or set. */
const rsvpPrefix = '/rsvp';

const formType = 'application/x-www-form-urlencoded';
const maximumBodyBytes = 4 * 1024;

function pageHeaders(): Record<string, string> {
  return oncePerProcess('answer-page-headers', () =>
    rsvpPageSecurityHeaders({
      styleHash: createHash('sha256').update(stylesheet).digest('base64'),
      https: isReachedByHttps(),
    }),
  );
}

function noInvitation(): AppError {
  return new AppError('not_found', 'There is no such invitation.');
}

/** The path after `/rsvp/`, decoded, because mail programs encode more than necessary. */
function tokenOf(pathname: string): string {
  try {
    return decodeURIComponent(pathname.slice(rsvpPrefix.length + 1));
  } catch {
    throw noInvitation();
  }
}

async function show(token: string, query: string): Promise<HttpAnswer> {
  const invitation = await findInvitation(token);
  if (!invitation) throw noInvitation();
  const pressed = new URLSearchParams(query).get('answer');
  const chosen = answers.find((answer) => answer === pressed) ?? null;
  const headers = { ...pageHeaders(), 'Content-Type': 'text/html; charset=utf-8' };
  return { status: 200, headers, body: renderRsvpPage({ ...invitation, chosen, now: Date.now() }) };
}

async function answerOf(request: HttpRequest): Promise<string | null> {
  if (mediaTypeOf(request) !== formType) throw new AppError('unsupported_media_type', `Send the answer as ${formType}.`);
  const form = new URLSearchParams(Buffer.from(await readBytes(request, maximumBodyBytes)).toString());
  const [answer = null, ...others] = form.getAll('answer');
  return others.length === 0 ? answer : null;
}

/**
 * Records the response and redirects back to the page, so that a reload does not repeat it. The origin is not checked: there is
 * no cookie that another site could abuse, and a page without referrer sends `Origin: null` anyway.
 */
async function record(token: string, request: HttpRequest): Promise<HttpAnswer> {
  const recorded = await answerInvitation(token, await answerOf(request));
  // Nothing is recorded for a cancelled event; the page says so.
  if (!recorded && !(await findInvitation(token))) throw noInvitation();
  return { status: 303, headers: { ...pageHeaders(), Location: `${rsvpPrefix}/${token}` }, body: '' };
}

const notTaken = { title: 'Your response wasn’t recorded', goesBack: true };

/** Messages for readers, in terms of invitations instead of requests. */
const messages: Partial<Record<ErrorCode, Parameters<typeof renderMessage>[0]>> = {
  not_found: {
    title: 'Invitation not found',
    text: 'The link may be incomplete, or you are no longer invited. Open it from the email again, or contact the organizer.',
  },
  invalid_request: { ...notTaken, text: 'Go back and choose accept, maybe or decline.' },
  unsupported_media_type: { ...notTaken, text: 'It wasn’t sent from the form. Go back and press one of the buttons.' },
  payload_too_large: { ...notTaken, text: 'Too much data was sent. Go back and press one of the buttons.' },
  method_not_allowed: { title: 'This request isn’t supported', text: 'Open the link from the email again.' },
  unavailable: {
    title: 'This page isn’t available right now',
    text: 'We couldn’t load the invitation. Nothing was changed. Try again in a few seconds.',
  },
};

const renderError: ErrorForm = (error, requestId) => {
  const message = messages[error.code] ?? {
    title: 'Something went wrong',
    text: `Try again in a moment. If it keeps happening, contact the organizer and include this error code: ${requestId}`,
  };
  return { headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: renderMessage(message) };
};

/** `/rsvp/{token}`: GET and HEAD show the invitation and change nothing, POST records a response (contract section 8). */
export const rsvpRoute: HttpRoute = {
  prefix: rsvpPrefix,
  isSecret: true,
  methods: 'GET, HEAD, POST',
  headers: pageHeaders,
  errors: renderError,
  async answer(request) {
    const token = tokenOf(request.pathname);
    return request.method === 'POST' ? record(token, request) : show(token, request.query);
  },
};
