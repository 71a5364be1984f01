/** The Content-ID of an attachment that an email's HTML shows (RFC 2392, 2), without angle brackets. */
export function pictureContentId(attachmentId: string): string {
  return `${attachmentId}@frontdesk`;
}
