/** Pictures in an email’s text: attachments, by their ids. */

const scheme = 'attachment:';

export const pictureReference = (attachmentId: string): string => `${scheme}${attachmentId}`;

/** The attachment that an address names; null if it names none. */
export function pictureId(address: unknown): string | null {
  return typeof address === 'string' && address.startsWith(scheme) ? address.slice(scheme.length).toLowerCase() : null;
}

/** The attachments that Markdown shows. */
export function pictureIdsIn(markdown: string): ReadonlySet<string> {
  return new Set([...markdown.matchAll(/\]\(<?attachment:([\da-f-]{36})/gi)].map(([, id = '']) => id.toLowerCase()));
}

/**
 * The attachments of an email after its text has changed: without pictures that were deleted from it, and with those that an undo has
 * brought back.
 *
 * @param before the pictures that the text showed
 * @param after those that it shows
 * @param known attachments that this email had, by their ids
 */
export function followPictures<Attachment extends { id: string }>(
  attachments: readonly Attachment[],
  { before, after, known }: { before: ReadonlySet<string>; after: ReadonlySet<string>; known: ReadonlyMap<string, Attachment> },
): Attachment[] {
  const kept = attachments.filter(({ id }) => after.has(id) || !before.has(id));
  const back = [...after].flatMap((id) => (kept.some((each) => each.id === id) ? [] : (known.get(id) ?? [])));
  return [...kept, ...back];
}
