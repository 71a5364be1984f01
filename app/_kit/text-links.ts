export interface TextSegment {
  text: string;
  /** The link target: http, https or mailto. Undefined for plain text. */
  href?: string;
  /** Offset in the whole text. */
  start: number;
}

// Every repetition is bounded or runs once over the text, so that the time for a line of a megabyte is linear in its length.
const linkPattern =
  /\bhttps?:\/\/[^\s<>"`]{1,2000}|\bwww\.[^\s<>"`]{1,2000}|(?<![\w.+-])[\w.+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}/gi;

const openings: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/** The end of a link as people write it: full stops and unmatched closing brackets belong to the sentence. */
function linkEnd(link: string): number {
  const counts = new Map<string, number>();
  for (const character of link) counts.set(character, (counts.get(character) ?? 0) + 1);
  const count = (character: string) => counts.get(character) ?? 0;
  let end = link.length;
  while (end > 0) {
    const last = link[end - 1] ?? '';
    const opening = openings[last];
    const isStray = opening !== undefined && count(last) > count(opening);
    if (!isStray && !/[.,;:!?'’”»*_]/.test(last)) break;
    counts.set(last, count(last) - 1);
    end -= 1;
  }
  return end;
}

function hrefOf(link: string): string | undefined {
  const address = /^https?:/i.test(link) ? link : /^www\./i.test(link) ? `https://${link}` : `mailto:${link}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol === 'mailto:') return address;
  return url.hostname.includes('.') || url.hostname === 'localhost' || url.hostname.startsWith('[') ? url.href : undefined;
}

/** Splits a text into plain parts and links to the web and to mailboxes; joined, they are the text. */
export function linkSegments(text: string): TextSegment[] {
  const segments: TextSegment[] = [];
  let at = 0;
  for (const match of text.matchAll(linkPattern)) {
    const link = match[0].slice(0, linkEnd(match[0]));
    const href = hrefOf(link);
    if (href === undefined) continue;
    if (match.index > at) segments.push({ text: text.slice(at, match.index), start: at });
    segments.push({ text: link, href, start: match.index });
    at = match.index + link.length;
  }
  if (at < text.length) segments.push({ text: text.slice(at), start: at });
  return segments;
}
