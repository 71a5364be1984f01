/** The first page of a thread, newest first. Server and browser both use it, so that the browser finds what the server prefetched. */
export function messagesInput(conversationId: string) {
  return { conversationId, order: 'desc', limit: 100, includeAttachments: true } as const;
}
