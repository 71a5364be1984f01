import { emailAddress } from '../fields.schema';
import { firstHeader, type Header } from './mail-headers';

/** How a list ends its emails. */
export interface ListUnsubscribe {
  /** `one_click`: a POST to the target (RFC 8058). `email`: an email to the target, a `mailto:` URI. `page`: a page at the target. */
  method: 'one_click' | 'email' | 'page';
  target: string;
}

/** Targets that are looked at, and their longest length in characters. */
const [targetsMaximum, longestTarget] = [10, 2_000];

/** The targets of a List-Unsubscribe header, in its order (RFC 2369 2). */
function targetsOf(value: string): URL[] {
  const found = [...value.matchAll(/<([^<>]{1,4000})>/g)].slice(0, targetsMaximum);
  return found.flatMap(([, text = '']) => {
    // Folded in the middle, as white space is no part of a URI.
    const target = text.replaceAll(/\s/g, '');
    return target.length <= longestTarget && URL.canParse(target) ? [new URL(target)] : [];
  });
}

/** The email that a target asks for (RFC 6068): its first recipient, its subject and its text. Null if it is no `mailto:` URI of an address. */
export function leavingEmail({ protocol, pathname, search }: URL): { recipient: string; subject: string; text: string } | null {
  if (protocol !== 'mailto:') return null;
  const [first = ''] = pathname.split(',');
  try {
    // In its own letters: lists tell their subscribers apart by them.
    const recipient = decodeURIComponent(first).trim();
    if (!emailAddress.safeParse(recipient).success) return null;
    // A plus is a plus here, and no space as in forms.
    const fields = [...new URLSearchParams(search.replaceAll('+', '%2B'))];
    const fieldOf = (wanted: string) => fields.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '';
    return { recipient, subject: fieldOf('subject'), text: fieldOf('body') };
  } catch {
    // A percent sign that encodes no character.
    return null;
  }
}

/** The way out that asks least of people: by one click, by an email, by a page. Null if the message names none. */
export function listUnsubscribeOf(headers: readonly Header[]): ListUnsubscribe | null {
  const targets = targetsOf(firstHeader(headers, 'list-unsubscribe') ?? '');
  const secure = targets.find(({ protocol }) => protocol === 'https:');
  const isOneClick = /^\s*List-Unsubscribe\s*=\s*One-Click\s*$/i.test(firstHeader(headers, 'list-unsubscribe-post') ?? '');
  if (secure && isOneClick) return { method: 'one_click', target: secure.href };
  const email = targets.find((target) => leavingEmail(target) !== null);
  if (email) return { method: 'email', target: email.href };
  const page = secure ?? targets.find(({ protocol }) => protocol === 'http:');
  return page ? { method: 'page', target: page.href } : null;
}
