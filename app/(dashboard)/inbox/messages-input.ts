/**
 * The request for the first page of a thread, newest first. Used by server and browser, so that the browser finds the
 * prefetched query.
 */
export function messagesInput(conversationId: string) {
  return { conversationId, order: 'desc', limit: 100, includeAttachments: true } as const;
}
