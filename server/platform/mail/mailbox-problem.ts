/** Why a mailbox can't be read. */
export type MailboxProblemCode =
  | 'address_forbidden'
  | 'host_unknown'
  | 'unreachable'
  | 'no_answer'
  | 'certificate'
  | 'encryption'
  | 'credentials'
  | 'folder'
  | 'protocol'
  | 'storage_full'
  | 'internal';

/** A mailbox can't be read. `message` says why, for people. */
export class MailboxProblem extends Error {
  override name = 'MailboxProblem';

  constructor(
    readonly code: MailboxProblemCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
