import type { MailAddressRecord } from '@/server/features/conversations/message.schema';
import { emailAddress } from '@/server/platform/fields.schema';

/** Pure functions that parse typed or pasted recipients. */

/**
 * Splits at commas, semicolons, tabs and lines, but not within quotation marks or angle brackets: `"Hill, Ann"
 * <ann@quark.example>` is one.
 */
function splitList(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  let isQuoted = false;
  let isInBrackets = false;
  for (const character of text) {
    if (character === '\n' || character === '\r') {
      isQuoted = false;
      isInBrackets = false;
    } else if (character === '"') isQuoted = !isQuoted;
    else if (character === '<') isInBrackets = true;
    else if (character === '>') isInBrackets = false;
    if (/[,;\t\n\r]/.test(character) && !isQuoted && !isInBrackets) {
      parts.push(part);
      part = '';
    } else {
      part += character;
    }
  }
  return [...parts, part].map((item) => item.trim()).filter((item) => item !== '');
}

/** `Ann Hill <ann@quark.example>`, `<ann@quark.example>`, `mailto:ann@quark.example` or only the address. */
function parseOne(text: string): MailAddressRecord {
  const named = /^(.*?)\s*<([^<>]*)>$/s.exec(text);
  const email = (named?.[2] ?? text).trim().replace(/^mailto:/i, '');
  const name = (named?.[1] ?? '')
    .trim()
    .replace(/^"(.*)"$/s, '$1')
    .replace(/\\(["\\])/g, '$1');
  return { email: isAddress(email) ? email.toLowerCase() : email, displayName: name || null };
}

/** Whether a text is a valid address, by the API's rule. */
export function isAddress(email: string): boolean {
  return emailAddress.safeParse(email).success;
}

/**
 * Parses typed or pasted recipients. Invalid addresses are kept as typed, so that they can be corrected. A text of addresses
 * separated only by blanks is several; those in `present` are left out.
 */
export function parseRecipients(text: string, present: readonly MailAddressRecord[] = []): MailAddressRecord[] {
  const items = splitList(text).flatMap((item) => {
    const words = item.split(/\s+/);
    return words.every(isAddress) ? words : [item];
  });
  const seen = new Set(present.map(({ email }) => email.toLowerCase()));
  return items.map(parseOne).filter(({ email }) => {
    const key = email.toLowerCase();
    if (key === '' || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** The number of distinct recipients; invalid addresses do not count. */
export function countRecipients(...lists: readonly (readonly MailAddressRecord[])[]): number {
  const emails = lists.flat().map(({ email }) => email.trim().toLowerCase());
  return new Set(emails.filter(isAddress)).size;
}
