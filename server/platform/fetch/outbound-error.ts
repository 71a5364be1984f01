/** A request that this installation does not make, because of where it leads. `message` is the reason, for people. */
export class OutboundRefused extends Error {
  override name = 'OutboundRefused';
}

/** A request that was made and came to nothing: no answer, none in time, or none that can be read. `message` is the reason, for people. */
export class OutboundFailed extends Error {
  override name = 'OutboundFailed';
}
