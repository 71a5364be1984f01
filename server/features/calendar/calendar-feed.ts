import { createHash } from 'node:crypto';
import { AppError } from '@/server/platform/errors';
import { LoadingCache } from '@/server/platform/loading-cache';
import { logFailure } from '@/server/platform/outage-log';
import { oncePerProcess } from '@/server/platform/process-globals';
import { isUnchanged } from '../../platform/http/conditions';
import { exposedHeaders, isPreflight, openToAll, preflightHeaders } from '../../platform/http/cors';
import { type Bodies, chooseBody, encodings, sizeOfBodies } from '../../platform/http/encodings';
import { requestIdOf } from '../../platform/http/request-id';
import { apiSecurityHeaders } from '../../platform/http/security-headers';
import type { RestAnswer, RestRequest } from '../../platform/rest/http-message';
import { appErrorOf } from '../../platform/trpc/trpc';
import { type FeedSource, findFeed, writeCalendarFeed } from './feed.service';

/** Where calendar programs subscribe: `/api/calendar/{token}.ics`. The secret address is all they need. */
export const calendarFeedPrefix = '/api/calendar';

const cacheBytes = 32 * 1024 * 1024;

function cache(): LoadingCache<Bodies> {
  return oncePerProcess('calendar-feeds', () => new LoadingCache<Bodies>({ maximumSize: cacheBytes, sizeOf: sizeOfBodies }));
}

/** The day belongs to it, for a feed forgets events that were over a year ago. */
function keyOf({ identityId, version }: FeedSource): string {
  return JSON.stringify([identityId, version, new Date().toISOString().slice(0, 10)]);
}

function headersFor(requestId: string): Record<string, string> {
  return {
    ...apiSecurityHeaders(),
    ...openToAll,
    'Content-Type': 'text/plain; charset=utf-8',
    'X-Request-Id': requestId,
  };
}

function tokenOf(pathname: string): string {
  const [, token] = /^\/([^/]+)\.ics$/.exec(pathname.slice(calendarFeedPrefix.length)) ?? [];
  if (token === undefined) throw noCalendar();
  return token;
}

function noCalendar(): AppError {
  return new AppError('not_found', 'There is no calendar at this address. It may have been replaced or turned off.');
}

const methods = 'GET, HEAD, OPTIONS';

async function answer(request: RestRequest, requestId: string): Promise<RestAnswer> {
  if (request.method === 'OPTIONS') {
    const headers = { ...apiSecurityHeaders(), ...openToAll, Allow: methods, 'X-Request-Id': requestId };
    return {
      status: 204,
      headers: isPreflight(request) ? { ...headers, ...preflightHeaders(methods, ['If-None-Match']) } : headers,
      body: null,
    };
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new AppError('method_not_allowed', 'A calendar can only be read.', { headers: { Allow: methods } });
  }
  const source = await findFeed(tokenOf(request.pathname));
  if (!source) throw noCalendar();
  const key = keyOf(source);
  // Known without making the feed, so who asks again with it costs no more than the question for the version.
  const etag = `W/"${createHash('sha256').update(key).digest('base64url').slice(0, 27)}"`;
  const { 'Content-Type': _plain, ...common } = headersFor(requestId);
  const headers = {
    ...common,
    ...exposedHeaders(request),
    'Cache-Control': 'private, max-age=0, must-revalidate',
    Vary: 'Accept-Encoding',
    ETag: etag,
  };
  if (isUnchanged(request.headers.get('if-none-match'), etag)) return { status: 304, headers, body: null };
  const bodies = await cache().get(key, async () =>
    encodings(Buffer.from(await writeCalendarFeed(source)), { compressible: true }),
  );
  const chosen = chooseBody(bodies, request.headers.get('accept-encoding'));
  return {
    status: 200,
    headers: { ...headers, ...chosen.headers, 'Content-Type': 'text/calendar; charset=utf-8' },
    body: chosen.body,
  };
}

/** Answers `/api/calendar/{token}.ics`, to whoever has the address. Errors are plain text, for calendar programs show them as they are. */
export async function answerCalendarFeed(request: RestRequest): Promise<RestAnswer> {
  const requestId = requestIdOf(request.headers.get('x-request-id'));
  try {
    return await answer(request, requestId);
  } catch (thrown) {
    const error = appErrorOf(thrown);
    if (error.status >= 500) logFailure(thrown, { requestId }, 'a calendar feed could not be made', error);
    return {
      status: error.status,
      headers: { ...headersFor(requestId), ...error.headers },
      body: error.status >= 500 ? `${error.message} (${requestId})\n` : `${error.message}\n`,
    };
  }
}
