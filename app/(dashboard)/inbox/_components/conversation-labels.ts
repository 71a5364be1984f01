import type { StatusTone } from '@/app/_kit/status-badge';
import type { ConversationStatus } from '@/server/features/conversations/conversation.schema';
import type { MailAddressRecord } from '@/server/features/conversations/message.schema';

interface StatusLabels {
  label: string;
  tone: StatusTone;
  /** What it means for the user's work. */
  meaning: string;
}

/** Label and meaning of each status in the inbox. */
export const statusLabels: Record<ConversationStatus, StatusLabels> = {
  pending: { label: 'Open', tone: 'info', meaning: 'No one has replied yet.' },
  processing: { label: 'In progress', tone: 'info', meaning: 'Someone is working on it.' },
  waiting_human: { label: 'Needs you', tone: 'warning', meaning: 'Needs your reply or decision.' },
  waiting_customer: { label: 'Waiting on customer', tone: 'neutral', meaning: 'You replied; waiting on them.' },
  completed: { label: 'Done', tone: 'success', meaning: 'Resolved.' },
  failed: { label: 'Send failed', tone: 'danger', meaning: 'The last reply couldn’t be sent.' },
};

export const subjectOf = (subject: string) => subject.trim() || '(no subject)';

/** A person's name, else the address. */
export function nameOf({ email, displayName }: MailAddressRecord): string {
  return displayName?.trim() || email.trim() || '(unknown sender)';
}

/** "Ann Hill <ann@quark.example>", or the address alone if there is no other name. */
export function addressText(address: MailAddressRecord): string {
  const name = nameOf(address);
  return name === address.email ? name : `${name} <${address.email}>`;
}

/** How many recipients are named before the rest becomes a number. */
const namedRecipients = 2;

/**
 * "to me, Bob Hill +2": the recipients of a message, own addresses first. `own` holds the business's addresses in lower case.
 */
export function recipientsLine(recipients: readonly MailAddressRecord[], own: ReadonlySet<string>): string {
  const isOwn = ({ email }: MailAddressRecord) => own.has(email.toLowerCase());
  const others = recipients.filter((recipient) => !isOwn(recipient)).map(nameOf);
  const names = others.length < recipients.length ? ['me', ...others] : others;
  if (names.length === 0) return 'to undisclosed recipients';
  const hidden = names.length - namedRecipients;
  return `to ${names.slice(0, namedRecipients).join(', ')}${hidden > 0 ? ` +${hidden}` : ''}`;
}

const sizeUnits = ['B', 'kB', 'MB', 'GB'];

/** Formats a size in bytes, in powers of a thousand: "512 B", "1.2 MB". */
export function formatSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(sizeUnits.length - 1, Math.floor(Math.log10(bytes) / 3));
  const amount = bytes / 1000 ** power;
  // 999.96 kB would round to "1000 kB".
  if (power < sizeUnits.length - 1 && Math.round(amount) === 1000) return `1 ${sizeUnits[power + 1]}`;
  const digits = power > 0 && amount < 10 ? 1 : 0;
  return `${Number(amount.toFixed(digits))} ${sizeUnits[power]}`;
}

/**
 * The next or previous conversation; undefined at either end. If the open one has left the list (read, in the unread view),
 * `lastIndex` is its previous position.
 */
export function neighbourOf(ids: readonly string[], openId: string | null, lastIndex: number, step: 1 | -1): string | undefined {
  if (openId === null) return step === 1 ? ids[0] : ids.at(-1);
  const index = ids.indexOf(openId);
  if (index !== -1) return index + step < 0 ? undefined : ids[index + step];
  const gap = Math.min(lastIndex, ids.length);
  return step === 1 ? ids[gap] : ids[gap - 1];
}
