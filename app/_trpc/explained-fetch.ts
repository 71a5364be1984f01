interface Refusal {
  error: string;
  message: string;
  code: string;
  details?: object;
  requestId?: string;
}

function isRefusal(body: unknown): body is Refusal {
  const { error, code, message } = (body ?? {}) as Partial<Refusal>;
  return typeof error === 'string' && typeof code === 'string' && typeof message === 'string';
}

/** JSON-RPC's "server error", which tRPC requires in an error; nothing reads it. */
const serverError = -32000;

/**
 * An answer to tRPC. A refusal before tRPC runs (too large, too many requests, another site) has the format of the product's errors;
 * here it is converted to tRPC's format, so that pages can show the reason.
 */
export async function explained(response: Response): Promise<Response> {
  if (response.ok) return response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  if (!isRefusal(body)) return response;
  const { error: title, message, code, details, requestId } = body;
  const error = { code: serverError, message, data: { code, httpStatus: response.status, title, details, requestId } };
  return Response.json({ error }, { status: response.status });
}

/** `fetch` for tRPC. */
export async function explainedFetch(input: RequestInfo | URL | string, init?: RequestInit): Promise<Response> {
  return explained(await fetch(input, init));
}
