import type { MailAddressRecord } from './message.schema';

/** The addresses of the message that a reply answers. */
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

/** Drops our own addresses, empty ones and those already in `taken`; adds the remaining ones to it. */
function others(addresses: readonly MailAddressRecord[], isSelf: (email: string) => boolean, taken: Set<string>) {
  return addresses.filter(({ email }) => {
    const key = email.toLowerCase();
    if (key === '' || isSelf(key) || taken.has(key)) return false;
    taken.add(key);
    return true;
  });
}

/**
 * The recipients of a reply to all (RFC 5322, 3.6.3): for a received message, its Reply-To or else its sender, with all other
 * recipients in copy; for a sent one, the same recipients again. No duplicates, and never our own addresses.
 */
export function replyToAll(message: AnsweredMessage, isSelf: (email: string) => boolean): ReplyRecipients {
  const taken = new Set<string>();
  if (message.direction === 'outbound') {
    return { to: others(message.to, isSelf, taken), cc: others(message.cc, isSelf, taken) };
  }
  const to = others(message.replyTo.length > 0 ? message.replyTo : [message.from], isSelf, taken);
  const rest = others([...message.to, ...message.cc], isSelf, taken);
  // A message of our own that was received (as a copy, for example) has only its other recipients.
  return to.length > 0 ? { to, cc: rest } : { to: rest, cc: [] };
}
