import { domainToASCII } from 'node:url';
import type { AddressObject, EmailAddress } from 'mailparser';
import { cleanLine, cutText } from './mail-characters';
import type { MailAddress } from './parsed-mail';

/** Mailboxes of one header that are kept. */
const maximumAddresses = 1000;

/** RFC 5321 4.5.3.1: 64 for the local part, 255 for the domain, and the @. */
const maximumAddressLength = 320;

/** What no person is called, in UTF-16 units; every address of a header may come with a name as long as the header. */
const maximumNameLength = 200;

/** Nothing deeper is a group of RFC 5322, which have none within. */
const maximumDepth = 5;

/**
 * An address with its domain in lower case and in ASCII (RFC 5890), as servers and the API write it: one form for the one mailbox,
 * whichever way a program has put it in a header. What is no domain is left as it is.
 */
export function normalizeAddress(address: string): string {
  const at = address.lastIndexOf('@');
  if (at < 0) return address;
  const domain = address.slice(at + 1).toLowerCase();
  const isPlain = !/[^ -~]/.test(domain);
  return `${address.slice(0, at)}@${isPlain ? domain : domainToASCII(domain) || domain}`;
}

/**
 * Whether the envelope's sender (MAIL FROM) vouches for an author: the same domain, or one below the other, as in DMARC's relaxed
 * alignment (RFC 7489 3.1). The null sender and an unknown one vouch for no one.
 *
 * @param author the address of the From header, @param envelopeSender null where it is not known
 */
export function isAlignedSender(author: string, envelopeSender: string | null): boolean {
  // What follows the last @: a quoted local part may hold one, and the domain of someone else behind it.
  const domainOf = (address: string) => /@([^@]*)$/.exec(normalizeAddress(address.toLowerCase()))?.[1] ?? '';
  const [own, other] = [domainOf(author), domainOf(envelopeSender ?? '')];
  if (own === '' || other === '') return false;
  const isBelow = (lower: string, upper: string) => upper.includes('.') && lower.endsWith(`.${upper}`);
  return own === other || isBelow(own, other) || isBelow(other, own);
}

function toAddress({ address = '', name }: EmailAddress): MailAddress {
  const email = normalizeAddress(cleanLine(address));
  const wholeName = cleanLine(name);
  const saysNothing = wholeName === '' || wholeName.toLowerCase() === email.toLowerCase();
  const displayName = cutText(wholeName, maximumNameLength).trimEnd();
  return { email: email.length > maximumAddressLength ? '' : email, displayName: saysNothing ? null : displayName };
}

function collect(members: readonly EmailAddress[], found: MailAddress[], depth: number): void {
  for (const member of members) {
    if (found.length >= maximumAddresses) return;
    if (member.group === undefined) found.push(toAddress(member));
    else if (depth < maximumDepth) collect(member.group, found, depth + 1);
  }
}

/** The mailboxes of address headers, members of groups in their place; also such as have no address. */
function everybody(objects: readonly AddressObject[]): MailAddress[] {
  const found: MailAddress[] = [];
  for (const { value } of objects) collect(value, found, 0);
  return found;
}

/** The mailboxes of address headers that have an address, at most 1,000. */
export function mailboxes(objects: readonly AddressObject[]): MailAddress[] {
  return everybody(objects).filter(({ email }) => email !== '');
}

/** Who wrote the message: the first mailbox of From, else of Sender; without an address where neither has one. */
export function senderOf(from: readonly AddressObject[], sender: readonly AddressObject[]): MailAddress {
  const named = everybody(from);
  const candidates = named.length > 0 ? named : everybody(sender);
  return candidates.find(({ email }) => email !== '') ?? candidates[0] ?? { email: '', displayName: null };
}
