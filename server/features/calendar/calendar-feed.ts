import { AppError } from '@/server/platform/errors';
import { textErrors } from '@/server/platform/http/error-answer';
import type { HttpAnswer, HttpRequest } from '@/server/platform/http/http-message';
import type { HttpRoute } from '@/server/platform/http/http-route';
import { isUnchanged, weakEtag } from '@/server/platform/http/if-none-match';
import { LoadingCache } from '@/server/platform/loading-cache';
import { oncePerProcess } from '@/server/platform/process-globals';
import { type Bodies, chooseBody, encodings, sizeOfBodies } from '../../platform/http/encodings';
import { apiSecurityHeaders } from '../../platform/http/security-headers';
import { type FeedSource, findFeed, writeCalendarFeed } from './feed.service';

/** Calendar subscriptions: `/api/calendar/{token}.ics`. The secret URL is the only credential. */
const calendarFeedPrefix = '/api/calendar';

const cacheBytes = 32 * 1024 * 1024;

function cache(): LoadingCache<Bodies> {
  return oncePerProcess('calendar-feeds', () => new LoadingCache<Bodies>({ maximumSize: cacheBytes, sizeOf: sizeOfBodies }));
}

/** The key includes the day, because a feed drops events that ended over a year ago. */
function keyOf({ identityId, version }: FeedSource): string {
  return JSON.stringify([identityId, version, new Date().toISOString().slice(0, 10)]);
}

function tokenOf(pathname: string): string {
  const [, token] = /^\/([^/]+)\.ics$/.exec(pathname.slice(calendarFeedPrefix.length)) ?? [];
  if (token === undefined) throw noCalendar();
  return token;
}

function noCalendar(): AppError {
  return new AppError('not_found', 'There is no calendar at this address. It may have been replaced or turned off.');
}

async function answer(request: HttpRequest): Promise<HttpAnswer> {
  const source = await findFeed(tokenOf(request.pathname));
  if (!source) throw noCalendar();
  const key = keyOf(source);
  // Computed without rendering the feed, so a client that has it already costs only the version query.
  const etag = weakEtag(key);
  const headers = {
    ...apiSecurityHeaders(),
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

/**
 * `/api/calendar/{token}.ics`, for everyone with the URL. Errors are plain text, because calendar programs show them unchanged.
 */
export const calendarFeedRoute: HttpRoute = {
  prefix: calendarFeedPrefix,
  isSecret: true,
  methods: 'GET, HEAD, OPTIONS',
  crossOrigin: () => ['If-None-Match'],
  errors: textErrors,
  answer,
};
