import { AppError } from '../errors';
import { exposedHeaders, isPreflight, openToAll, preflightHeaders } from './cors';
import { type ErrorForm, errorAnswer } from './error-answer';
import type { HttpAnswer, HttpRequest } from './http-message';
import { apiSecurityHeaders } from './security-headers';

/** What answers at a path of its own and below. The registry lists all of them; the server asks them in that order. */
export interface HttpRoute {
  /** `/blog`, without a slash at its end. */
  prefix: string;
  /** True where what follows the prefix is a credential, which no log may have. */
  isSecret?: boolean;
  /** `GET, HEAD, OPTIONS`: others are refused, OPTIONS is answered. Left out where it depends on the path. */
  methods?: string;
  /** For what pages of other sites may read: the request headers that they may send. */
  crossOrigin?: (request: HttpRequest) => readonly string[] | null;
  /** Headers of what is answered in the route's place: refusals, errors, OPTIONS. Those of an API where left out. */
  headers?: () => Record<string, string>;
  /** How an error reads here; as in the API where left out. */
  errors?: ErrorForm;
  /** @throws AppError, answered as `errors` has it */
  answer(request: HttpRequest): Promise<HttpAnswer>;
}

/** Answers a request at a route: its methods, OPTIONS, CORS and errors; what is left is the route's own. Never throws. */
export async function answerRoute(route: HttpRoute, request: HttpRequest): Promise<HttpAnswer> {
  const base = route.headers ?? apiSecurityHeaders;
  const allowedHeaders = route.crossOrigin?.(request) ?? null;
  const cors = allowedHeaders ? { ...openToAll, ...exposedHeaders(request) } : {};
  const { methods } = route;
  try {
    if (methods !== undefined && !methods.split(', ').includes(request.method)) {
      throw new AppError('method_not_allowed', `This path has: ${methods}.`, { headers: { Allow: methods } });
    }
    if (methods !== undefined && request.method === 'OPTIONS') {
      const preflight = allowedHeaders && isPreflight(request) ? preflightHeaders(methods, allowedHeaders) : {};
      return { status: 204, headers: { ...base(), ...cors, ...preflight, Allow: methods }, body: null };
    }
    const answer = await route.answer(request);
    return allowedHeaders ? { ...answer, headers: { ...answer.headers, ...cors } } : answer;
  } catch (thrown) {
    const { headers, ...answer } = errorAnswer(thrown, request.requestId, route.errors);
    return { ...answer, headers: { ...base(), ...cors, ...headers } };
  }
}
