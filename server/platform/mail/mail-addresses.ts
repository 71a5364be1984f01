import { domainToASCII } from 'node:url';
import type { AddressObject, EmailAddress } from 'mailparser';
import { cleanLine, cutText } from '../text';
import type { MailAddress } from './parsed-mail';

/** Maximum mailboxes kept per header. */
const maximumAddresses = 1000;

/** RFC 5321 4.5.3.1: 64 for the local part, 255 for the domain, and the @. */
const maximumAddressLength = 320;

/** Longer than any real name, in UTF-16 units; each address of a header may have a name as long as the header. */
const maximumNameLength = 200;

/** Maximum recursion; RFC 5322 groups can't be nested. */
const maximumDepth = 5;

/**
 * An address with its domain in lower-case ASCII (RFC 5890), as servers and the API write it, so that each mailbox has one
 * form. An invalid domain is left unchanged.
 */
export function normalizeAddress(address: string): string {
  const at = address.lastIndexOf('@');
  if (at < 0) return address;
  const domain = address.slice(at + 1).toLowerCase();
  const isPlain = !/[^ -~]/.test(domain);
  return `${address.slice(0, at)}@${isPlain ? domain : domainToASCII(domain) || domain}`;
}

function toAddress({ address = '', name }: EmailAddress): MailAddress {
  const email = normalizeAddress(cleanLine(address));
  const wholeName = cleanLine(name);
  const isRedundant = wholeName === '' || wholeName.toLowerCase() === email.toLowerCase();
  const displayName = cutText(wholeName, maximumNameLength).trimEnd();
  return { email: email.length > maximumAddressLength ? '' : email, displayName: isRedundant ? null : displayName };
}

function collect(members: readonly EmailAddress[], found: MailAddress[], depth: number): void {
  for (const member of members) {
    if (found.length >= maximumAddresses) return;
    if (member.group === undefined) found.push(toAddress(member));
    else if (depth < maximumDepth) collect(member.group, found, depth + 1);
  }
}

/** All mailboxes of address headers in order, with group members, including those without an address. */
function allMailboxes(objects: readonly AddressObject[]): MailAddress[] {
  const found: MailAddress[] = [];
  for (const { value } of objects) collect(value, found, 0);
  return found;
}

/** The mailboxes of address headers that have an address, at most 1,000. */
export function mailboxes(objects: readonly AddressObject[]): MailAddress[] {
  return allMailboxes(objects).filter(({ email }) => email !== '');
}

/** The author: the first mailbox of From, else of Sender; with an empty address if neither has one. */
export function senderOf(from: readonly AddressObject[], sender: readonly AddressObject[]): MailAddress {
  const named = allMailboxes(from);
  const candidates = named.length > 0 ? named : allMailboxes(sender);
  return candidates.find(({ email }) => email !== '') ?? candidates[0] ?? { email: '', displayName: null };
}
