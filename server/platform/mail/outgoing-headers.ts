import { encodeWord } from 'nodemailer/lib/mime-funcs';
import { cleanLine, cutText } from './mail-characters';
import type { MailAddress } from './parsed-mail';

/** What goes into the headers of a mail of ours, in a form that every server takes (RFC 5322 2.1.1: lines of at most 998 octets). */

/** Runs without white space up to here leave a line below 998 octets, whatever stands before them. */
const longestRun = 500;
/** Encoded words are of at most 75 octets (RFC 2047 2); the library counts the frame too. */
const encodedWordLength = 52;

/**
 * An unstructured header's text. The library folds lines at white space only and reads what looks like an encoded word as one, so what
 * can't be folded or looks so is encoded (RFC 2047).
 */
export function headerText(text: string): string {
  const isFoldable = !new RegExp(`\\S{${longestRun + 1}}`).test(text) && !text.includes('=?');
  return isFoldable ? text : encodeWord(text, 'Q', encodedWordLength);
}

/** Message-IDs without letters beyond ASCII, which would make many servers refuse the whole mail (RFC 6532), and of a length a line can hold. */
const plainId = /^[\x21-\x7e]{1,900}$/;

export function threadHeaders(inReplyTo: string | null, references: readonly string[]) {
  const known = references.filter((id) => plainId.test(id));
  return {
    ...(inReplyTo !== null && plainId.test(inReplyTo) ? { inReplyTo } : {}),
    ...(known.length > 0 ? { references: known } : {}),
  };
}

/** Whether the part before the @ has letters beyond ASCII: only servers that offer SMTPUTF8 take such an address (RFC 6531). */
export function needsSmtpUtf8(email: string): boolean {
  return /[^ -~]/.test(email.slice(0, email.lastIndexOf('@')));
}

/** Longer names are cut: the library does not fold a quoted name. */
const longestName = 300;

/** An address of a header, as the library takes it. */
export function headerAddress({ email, displayName }: MailAddress): { address: string; name: string } {
  return { address: email, name: cutText(cleanLine(displayName ?? ''), longestName) };
}
