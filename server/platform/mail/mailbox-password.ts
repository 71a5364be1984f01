import { openSecret, sealSecret } from '../auth/sealed-secret';

/** Passwords of mailboxes, encrypted where they are stored. */

const purpose = 'mailbox';

/** @returns what is stored */
export function sealPassword(password: string, mailboxId: string): string {
  return Buffer.from(sealSecret(Buffer.from(password), purpose, mailboxId)).toString('base64');
}

/** @returns null if it can't be decrypted, since AUTH_SECRET has changed */
export function openPassword(stored: string, mailboxId: string): string | null {
  return openSecret(Buffer.from(stored, 'base64'), purpose, mailboxId)?.toString() ?? null;
}
