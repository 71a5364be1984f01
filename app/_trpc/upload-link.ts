import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { AppRouter } from '@/server/registry';
import { explained } from './explained-fetch';

/** The context of a call whose body is a file; its input goes into the query. */
export interface UploadContext {
  file: File;
  /** Gets the part of the file that is sent, 0 to 1. */
  onProgress: (part: number) => void;
}

/**
 * Sends a call with a file as its body, for operations with `rest.upload`. By XMLHttpRequest, because `fetch` reports no progress.
 *
 * @param headersOf of an operation's context
 */
export function uploadLink(url: string, headersOf: (context: object) => Record<string, string>): TRPCLink<AppRouter> {
  return () =>
    ({ op }) =>
      observable((observer) => {
        const { file, onProgress } = op.context as unknown as UploadContext;
        const request = new XMLHttpRequest();
        const fail = (cause: object) => observer.error(TRPCClientError.from(cause));
        request.open('POST', `${url}/${op.path}?${new URLSearchParams(op.input as Record<string, string>)}`);
        for (const [name, value] of Object.entries(headersOf(op.context))) request.setRequestHeader(name, value);
        request.setRequestHeader('content-type', file.type || 'application/octet-stream');
        request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
        request.onerror = () => fail(new TypeError('The server could not be reached.'));
        request.onload = async () => {
          try {
            const answer = await (await explained(new Response(request.responseText, { status: request.status }))).json();
            if ('error' in answer) return fail(answer);
            observer.next({ result: { type: 'data', data: answer.result.data } });
            observer.complete();
          } catch (error) {
            fail(error as Error);
          }
        };
        request.send(file);
        return () => request.abort();
      });
}
