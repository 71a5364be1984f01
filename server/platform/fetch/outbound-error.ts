/** A request refused because of its destination. `message` is the reason, for people. */
export class OutboundRefused extends Error {
  override name = 'OutboundRefused';
}

/** A request that failed: no response, none in time, or an unreadable one. `message` is the reason, for people. */
export class OutboundFailed extends Error {
  override name = 'OutboundFailed';
}
