import type { MailAddressRecord } from '@/server/features/conversations/message.schema';
import { emailAddress } from '@/server/platform/fields.schema';

/** Pure functions from what is typed or pasted as recipients to addresses. */

/** Splits at commas, semicolons, tabs and lines, but not inside of quotation marks or angle brackets: `"Hill, Ann" <ann@quark.example>` is one. */
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

/** Whether it is an address one can write to; by the rule the API has. */
export function isAddress(email: string): boolean {
  return emailAddress.safeParse(email).success;
}

/**
 * The recipients in a text, as typed or pasted. What is not an address stays as it was typed, so that it can be corrected.
 * Words that are all addresses, with only blanks between them, are several; those already in `present` are left out.
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

/** How many different people are written to; what is not an address does not count. */
export function countRecipients(...lists: readonly (readonly MailAddressRecord[])[]): number {
  const emails = lists.flat().map(({ email }) => email.trim().toLowerCase());
  return new Set(emails.filter(isAddress)).size;
}
