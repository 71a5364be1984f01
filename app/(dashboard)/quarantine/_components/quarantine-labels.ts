import type { QuarantinedMailRecord } from '@/server/features/mail/mail.schema';

interface ReasonLabels {
  label: string;
  meaning: string;
}

/** Why a message was quarantined. */
export const reasonLabels: Record<QuarantinedMailRecord['reason'], ReasonLabels> = {
  unparsable: { label: 'Invalid format', meaning: 'The message is malformed.' },
  too_large: { label: 'Too large', meaning: 'Exceeds the size limit.' },
};

/** The channel by which a message arrived. */
export const sourceLabels: Record<QuarantinedMailRecord['source'], string> = {
  smtp: 'via SMTP',
  http: 'via HTTP',
  imap: 'via IMAP',
};

/** The envelope's sender, since the message itself was not parsed. */
export function senderLine(sender: string | null): string {
  if (sender === null) return 'Unknown sender';
  return sender === '' ? 'Mail server (no sender)' : sender;
}

/** "sales@here.example", "sales@here.example and 2 more". */
export function recipientsLine(recipients: readonly string[]): string {
  const [first, ...others] = recipients;
  if (first === undefined) return 'unknown recipients';
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
