import type { AppError, ErrorCode } from '@/server/platform/errors';

export type ErrorBody = Record<string, unknown>;

/** A part of the API whose errors the specification describes by themselves. */
export interface ErrorArea {
  /** Below /api/v1; with all that is below it, unless it is `exact`. */
  path: string;
  exact?: true;
  /** The keys of an error, before those that all have; undefined for one that is as everywhere. */
  keysOf?(error: AppError): ErrorBody | undefined;
  /** The code of a body that is no object; `invalid_request` by default. */
  noObject?: ErrorCode;
  /** Errors in the document by status, where they differ from the usual ones. */
  documented?: Readonly<Record<number, DocumentedError>>;
}

/** An error in the OpenAPI document. */
export interface DocumentedError {
  /** Of its component. */
  name: string;
  description: string;
  example: AppError;
}

/** The area of a path below /api/v1; undefined for one without its own. */
export function errorAreaOf(path: string, areas: readonly ErrorArea[]): ErrorArea | undefined {
  return areas.find((area) => path === area.path || (!area.exact && path.startsWith(`${area.path}/`)));
}

/** Errors about the caller rather than the resource have the same body in every area (contract section 2). */
const aboutCaller = new Set([401, 403, 429, 500, 503]);

export function isAboutCaller({ status }: AppError): boolean {
  return aboutCaller.has(status);
}

/** The keys of an error in most areas. */
export function usualKeys({ title, message }: AppError): ErrorBody {
  return { error: title, message };
}

/** The response body of an error: the specification's keys for the area first, then our additions. */
export function errorBody(error: AppError, area: ErrorArea | undefined, requestId: string): ErrorBody {
  const keys = area?.keysOf?.(error) ?? usualKeys(error);
  return { ...keys, code: error.code, requestId, ...(error.details ? { details: error.details } : {}) };
}
