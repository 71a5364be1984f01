import { isAddress, parseRecipients } from '../../../inbox/_components/composer-addresses';
import type { InviteeValues } from './event-values';

export interface ParsedInvitees {
  added: InviteeValues[];
  /** Addresses that are invited already. */
  repeated: string[];
  /** Invalid addresses, as typed. */
  invalid: string[];
}

/** Parses typed or pasted invitees: `Ann Hill <ann@quark.example>, bob@quark.example`. */
export function parseInvitees(text: string, present: readonly InviteeValues[]): ParsedInvitees {
  const known = new Set(present.map(({ email }) => email.toLowerCase()));
  const parsed: ParsedInvitees = { added: [], repeated: [], invalid: [] };
  for (const { email, displayName } of parseRecipients(text)) {
    if (!isAddress(email)) parsed.invalid.push(email);
    else if (known.has(email)) parsed.repeated.push(email);
    else parsed.added.push({ email, name: displayName ?? '', isOptional: false });
  }
  return parsed;
}

const listed = (items: readonly string[]) =>
  items.map((item) => `“${item.length > 40 ? `${item.slice(0, 40)}…` : item}”`).join(', ');

/** Why parts of a text were not added; empty if all were. */
export function refusalReason({ repeated, invalid }: ParsedInvitees): string {
  return [
    invalid.length > 0 && `${listed(invalid)} ${invalid.length === 1 ? 'isn’t a valid email' : 'aren’t valid emails'}.`,
    repeated.length > 0 && `${listed(repeated)} ${repeated.length === 1 ? 'is' : 'are'} already on the list.`,
  ]
    .filter(Boolean)
    .join(' ');
}
