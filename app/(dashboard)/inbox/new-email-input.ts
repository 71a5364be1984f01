import type { NewEmailStart } from './search-params';

/** The request for the initial data of a new email. Used by server and browser, so that the browser finds the prefetched query. */
export function newEmailInput({ draft, forward }: NewEmailStart) {
  return { ...(draft === undefined ? {} : { draftId: draft }), ...(forward === undefined ? {} : { forwardMessageId: forward }) };
}
