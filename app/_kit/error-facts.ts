import type { ErrorCode, FieldErrors } from '@/server/platform/errors';

/** What a page needs to know about a failure, whether the server explained it or was not reached. */
export interface ErrorFacts {
  code: ErrorCode | 'unreachable';
  message: string;
  requestId: string | undefined;
  /** Errors by dotted field path. */
  fields: FieldErrors;
  details: Record<string, unknown>;
}

interface TrpcErrorData {
  code?: ErrorCode;
  requestId?: string;
  details?: Record<string, unknown>;
}

/** Extracts the facts from an error thrown by a tRPC query or mutation. */
export function errorFacts(error: unknown): ErrorFacts {
  const data = (error as { data?: TrpcErrorData | null } | null)?.data;
  if (!data?.code) {
    return {
      code: 'unreachable',
      message: 'The server could not be reached. Check the connection and try again.',
      requestId: undefined,
      fields: {},
      details: {},
    };
  }
  const details = data.details ?? {};
  return {
    code: data.code,
    message: (error as Error).message,
    requestId: data.requestId,
    fields: (details.fields as FieldErrors | undefined) ?? {},
    details,
  };
}
