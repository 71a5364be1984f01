import type { QuarantinedMailRecord } from '@/server/features/mail/mail.schema';

interface ReasonLabels {
  label: string;
  meaning: string;
}

/** Why a message was put aside. */
export const reasonLabels: Record<QuarantinedMailRecord['reason'], ReasonLabels> = {
  unparsable: { label: 'Could not be read', meaning: 'It is not built as mail has to be.' },
  too_large: { label: 'Too large', meaning: 'It is larger than this installation takes.' },
};

/** How a message came in. */
export const sourceLabels: Record<QuarantinedMailRecord['source'], string> = { smtp: 'by SMTP', http: 'over HTTP' };

/** Who sent it, as the envelope says: nobody has read the message itself. */
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
