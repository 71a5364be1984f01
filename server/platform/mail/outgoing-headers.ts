import { encodeWord } from 'nodemailer/lib/mime-funcs';
import { cleanLine, cutText } from '../text';
import type { MailAddress } from './parsed-mail';

/** Prepares headers of outgoing mail so that every server accepts them (RFC 5322 2.1.1: lines of at most 998 octets). */

/** Maximum run without white space that keeps any line below 998 octets. */
const longestRun = 500;
/** Encoded words have at most 75 octets (RFC 2047 2); the library's limit also counts their delimiters. */
const encodedWordLength = 52;

/**
 * The text of an unstructured header. The library folds lines only at white space and decodes what looks like an encoded word,
 * so text that can't be folded or looks like one is encoded (RFC 2047).
 */
export function headerText(text: string): string {
  const isFoldable = !new RegExp(`\\S{${longestRun + 1}}`).test(text) && !text.includes('=?');
  return isFoldable ? text : encodeWord(text, 'Q', encodedWordLength);
}

/** ASCII Message-IDs that fit into a line; non-ASCII ones make many servers refuse the whole mail (RFC 6532). */
const plainId = /^[\x21-\x7e]{1,900}$/;

export function threadHeaders(inReplyTo: string | null, references: readonly string[]) {
  const known = references.filter((id) => plainId.test(id));
  return {
    ...(inReplyTo !== null && plainId.test(inReplyTo) ? { inReplyTo } : {}),
    ...(known.length > 0 ? { references: known } : {}),
  };
}

/** True if the local part is not ASCII: only servers with SMTPUTF8 accept such an address (RFC 6531). */
export function needsSmtpUtf8(email: string): boolean {
  return /[^ -~]/.test(email.slice(0, email.lastIndexOf('@')));
}

/** Longer names are truncated: the library does not fold a quoted name. */
const longestName = 300;

/** A header address in the library's format. */
export function headerAddress({ email, displayName }: MailAddress): { address: string; name: string } {
  return { address: email, name: cutText(cleanLine(displayName ?? ''), longestName) };
}
