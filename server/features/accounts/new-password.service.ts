import { isCommonPassword } from '@/server/platform/auth/common-passwords';
import { hashPassword } from '@/server/platform/auth/password';
import { invalidFields } from '@/server/platform/errors';
import { passwordMinimum } from './account.limits';

/** Characters that must remain once the obvious words are removed from a password. */
const remainderMinimum = 8;

/** Shorter words occur in many passwords by chance, so they do not count. */
const wordMinimum = 4;

/** The product's name and the parts of the account's own address, longest first. */
function obviousWords(email: string): string[] {
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  const words = ['frontdesk', 'front desk', 'front-desk', email.toLowerCase(), local, domain, ...domain.split('.')];
  return [...new Set([...words, ...local.split(/[^\p{L}\p{N}]+/u)])]
    .filter((word) => word.length >= wordMinimum)
    .sort((a, b) => b.length - a.length);
}

/** True if the product's name or the account's address makes up most of the password: `frontdesk2026`, `ann@quark.example!`. */
function isObvious(password: string, email: string): boolean {
  const lower = password.toLowerCase();
  const rest = obviousWords(email).reduce((left, word) => left.replaceAll(word, ''), lower);
  return rest !== lower && rest.replace(/[^\p{L}\p{N}]/gu, '').length < remainderMinimum;
}

/**
 * Hashes a new password, wherever it is chosen: at setup, in the settings, by a link, on the command line. The schema checks
 * its length.
 *
 * @param field form field that shows the error
 * @throws AppError invalid_request for one of the most common passwords, and for one made of the account's address or the
 *   product's name
 */
export async function hashNewPassword(password: string, email: string, field: string): Promise<string> {
  if (await isCommonPassword(password, passwordMinimum)) {
    throw invalidFields({ [field]: 'is one of the most common passwords. Choose another one, such as a few random words' });
  }
  if (isObvious(password, email)) {
    throw invalidFields({ [field]: 'is too easy to guess: leave out your email address and the name Frontdesk' });
  }
  return hashPassword(password);
}
