import anyAscii from 'any-ascii';

/** Generated slugs end at the last word within this many characters; people read and copy URLs. */
const generatedMaximum = 80;

function shortened(slug: string): string {
  if (slug.length <= generatedMaximum) return slug;
  const cut = slug.slice(0, generatedMaximum + 1).lastIndexOf('-');
  return slug.slice(0, cut > 0 ? cut : generatedMaximum);
}

/**
 * A title as a slug (contract section 7): accents are removed, other scripts transliterated to Latin, everything else separates
 * words.
 *
 * @returns null if the title has no letters or digits, as with emoji or punctuation alone
 */
export function slugOfTitle(title: string): string | null {
  const slug = anyAscii(
    title.normalize('NFC').replace(/\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}/gu, ' '),
  )
    .toLowerCase()
    .replace(/['`]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return slug === '' ? null : shortened(slug);
}

/** The slug of a post whose title has none: `post-` and the last characters of its id, which are random. */
export function slugOfId(id: string): string {
  return `post-${id.replaceAll('-', '').slice(-8).toLowerCase()}`;
}

/** True if `slug` is `base`, or `base` with a number added for uniqueness. */
export function isNumbered(slug: string, base: string): boolean {
  return slug === base || (slug.startsWith(`${base}-`) && /^[1-9]\d*$/.test(slug.slice(base.length + 1)));
}
