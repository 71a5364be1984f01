import type { QuarantinedMailRecord } from '@/server/features/mail/mail.schema';

interface ReasonLabels {
  label: string;
  meaning: string;
}

/** Why a message was quarantined. */
export const reasonLabels: Record<QuarantinedMailRecord['reason'], ReasonLabels> = {
  unparsable: { label: 'Could not be read', meaning: 'It is not built as mail has to be.' },
  too_large: { label: 'Too large', meaning: 'It is larger than this installation takes.' },
};

/** The channel by which a message arrived. */
export const sourceLabels: Record<QuarantinedMailRecord['source'], string> = { smtp: 'by SMTP', http: 'over HTTP' };

/** The envelope's sender, since the message itself was not parsed. */
export function senderLine(sender: string | null): string {
  if (sender === null) return 'An unknown sender';
  return sender === '' ? 'A mail server (no return address)' : sender;
}

/** "sales@here.example", "sales@here.example and 2 more". */
export function recipientsLine(recipients: readonly string[]): string {
  const [first, ...others] = recipients;
  if (first === undefined) return 'nobody by name';
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}
