import type { NewEmailStart } from './search-params';

/** The request for the initial data of a new email. Used by server and browser, so that the browser finds the prefetched query. */
export function newEmailInput({ forward }: NewEmailStart) {
  return forward === undefined ? {} : { forwardMessageId: forward };
}
