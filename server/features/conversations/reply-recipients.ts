import type { MailAddressRecord } from './message.schema';

/** The message a reply answers, as far as its recipients are concerned. */
export interface AnsweredMessage {
  direction: 'inbound' | 'outbound';
  from: MailAddressRecord;
  replyTo: MailAddressRecord[];
  to: MailAddressRecord[];
  cc: MailAddressRecord[];
}

export interface ReplyRecipients {
  to: MailAddressRecord[];
  cc: MailAddressRecord[];
}

/** Drops our own addresses, empty ones and those that `taken` has already; what is kept is added to it. */
function others(addresses: readonly MailAddressRecord[], isSelf: (email: string) => boolean, taken: Set<string>) {
  return addresses.filter(({ email }) => {
    const key = email.toLowerCase();
    if (key === '' || isSelf(key) || taken.has(key)) return false;
    taken.add(key);
    return true;
  });
}

/**
 * Whom a reply to all goes to (RFC 5322, 3.6.3): of a message that came in, its Reply-To or else its sender, and in copy everybody else
 * it was sent to; of one of ours, the same people again. Nobody is written to twice, and we never write to ourselves.
 */
export function replyToAll(message: AnsweredMessage, isSelf: (email: string) => boolean): ReplyRecipients {
  const taken = new Set<string>();
  if (message.direction === 'outbound') {
    return { to: others(message.to, isSelf, taken), cc: others(message.cc, isSelf, taken) };
  }
  const to = others(message.replyTo.length > 0 ? message.replyTo : [message.from], isSelf, taken);
  const rest = others([...message.to, ...message.cc], isSelf, taken);
  // A message of our own that came back in (a copy to ourselves, say) has only its other recipients.
  return to.length > 0 ? { to, cc: rest } : { to: rest, cc: [] };
}
