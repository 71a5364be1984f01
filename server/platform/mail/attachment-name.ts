import { cleanLine, cutText } from '../text';

/** In UTF-16 units. */
const maximumLength = 200;

/** Names for parts without one, where `attachment` with the usual extension would say less. */
const usualNames: Record<string, string> = {
  'text/calendar': 'invite.ics',
  'message/rfc822': 'message.eml',
  'message/global': 'message.eml',
  'message/delivery-status': 'delivery-status.txt',
  'message/global-delivery-status': 'delivery-status.txt',
  'message/disposition-notification': 'disposition-notification.txt',
  'text/rfc822-headers': 'headers.txt',
  'message/global-headers': 'headers.txt',
  'application/ms-tnef': 'winmail.dat',
};

/** Bidirectional control characters, which can make `exe.pdf` look like `fdp.exe`. */
const directionMarks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function shortened(name: string): string {
  if (name.length <= maximumLength) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= 20 ? name.slice(dot) : '';
  return cutText(name, maximumLength - extension.length).trim() + extension;
}

/**
 * A safe file name: without folders and control characters, at most 200 long with its extension kept.
 * @param given name in the message
 * @param contentType of the part, used if the message gives no name
 * @param extensionOf the usual extension of a content type, without a dot
 */
export function attachmentName(
  given: string | undefined,
  contentType: string,
  extensionOf: (contentType: string) => string | null,
): string {
  const line = cleanLine(given ?? '').replace(directionMarks, '');
  const base = line.slice(Math.max(line.lastIndexOf('/'), line.lastIndexOf('\\')) + 1).trim();
  const isMessage = contentType === 'message/rfc822' || contentType === 'message/global';
  if (base !== '' && !/^[. ]+$/.test(base)) return shortened(isMessage && !/\.eml$/i.test(base) ? `${base}.eml` : base);
  const extension = extensionOf(contentType);
  return usualNames[contentType] ?? (extension === null ? 'attachment' : `attachment.${extension}`);
}

/** `type/subtype` in lower case; `application/octet-stream` if invalid. */
export function cleanContentType(given: string | false | undefined): string {
  const type = (given || '').trim().toLowerCase();
  return /^[a-z0-9][\w!#$&^.+-]{0,126}\/[a-z0-9][\w!#$&^.+-]{0,126}$/.test(type) ? type : 'application/octet-stream';
}
