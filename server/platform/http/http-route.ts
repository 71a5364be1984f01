import { AppError } from '../errors';
import { exposedHeaders, isPreflight, openToAll, preflightHeaders } from './cors';
import { type ErrorForm, errorAnswer } from './error-answer';
import type { HttpAnswer, HttpRequest } from './http-message';
import { apiSecurityHeaders } from './security-headers';

/** A handler for a path prefix. The registry lists all routes; the server tries them in that order. */
export interface HttpRoute {
  /** `/blog`, without a trailing slash. */
  prefix: string;
  /** True if the path after the prefix is a credential, which must not be logged. */
  isSecret?: boolean;
  /** `GET, HEAD, OPTIONS`: others are refused, OPTIONS is answered automatically. Omitted if it depends on the path. */
  methods?: string;
  /** For cross-origin routes: the request headers that pages may send. */
  crossOrigin?: (request: HttpRequest) => readonly string[] | null;
  /** Headers of responses the route does not make itself: refusals, errors, OPTIONS. Defaults to those of the API. */
  headers?: () => Record<string, string>;
  /** How errors are rendered; defaults to the API's usual form. */
  errors?: ErrorForm;
  /** The same of a request that can't be read, by its path. */
  errorsAt?(path: string): ErrorForm;
  /** @throws AppError, rendered by `errors` */
  answer(request: HttpRequest): Promise<HttpAnswer>;
}

/** Handles methods, OPTIONS, CORS and errors of a route; the route does the rest. Never throws. */
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
