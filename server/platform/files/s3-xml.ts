/** One object of a bucket. */
export interface ListedObject {
  key: string;
  /** In bytes. */
  size: number;
  /** In milliseconds since 1970. */
  modifiedAt: number;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decoded(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex?: string, digits?: string, name?: string) => {
    if (name !== undefined) return entities[name] ?? whole;
    return String.fromCodePoint(hex === undefined ? Number(digits) : Number.parseInt(hex, 16));
  });
}

/** The text of the first element of this name; null if there is none. The documents have neither attributes nor CDATA here. */
function textOf(xml: string, element: string): string | null {
  const start = xml.indexOf(`<${element}>`);
  const end = xml.indexOf(`</${element}>`, start);
  return start < 0 || end < 0 ? null : decoded(xml.slice(start + element.length + 2, end));
}

/**
 * Reads an answer of ListObjectsV2.
 * @returns its objects, and the token of the next page
 * @throws Error if it is something else
 */
export function readListing(xml: string): { objects: ListedObject[]; next: string | null } {
  if (!/<ListBucketResult[\s>]/.test(xml) || !xml.includes('</ListBucketResult>')) throw new Error('not a list of objects');
  const objects = xml
    .split('<Contents>')
    .slice(1)
    .map((entry) => ({
      key: textOf(entry, 'Key') ?? '',
      size: Number(textOf(entry, 'Size') ?? Number.NaN),
      modifiedAt: Date.parse(textOf(entry, 'LastModified') ?? ''),
    }));
  if (objects.some(({ key, size, modifiedAt }) => key === '' || Number.isNaN(size + modifiedAt))) {
    throw new Error('an object is listed without its size or time');
  }
  const next = textOf(xml, 'IsTruncated') === 'true' ? textOf(xml, 'NextContinuationToken') : null;
  if (textOf(xml, 'IsTruncated') === 'true' && !next) throw new Error('a list of objects has no next page');
  return { objects, next };
}

/** The code of an error's document; null for anything else. */
export function readErrorCode(xml: string): string | null {
  const code = /<Error[\s>]/.test(xml) ? textOf(xml, 'Code') : null;
  return code !== null && /^\w{1,64}$/.test(code) ? code : null;
}
