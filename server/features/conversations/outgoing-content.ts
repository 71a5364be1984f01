import { invalidFields } from '@/server/platform/errors';
import { pictureContentId } from '@/server/platform/markdown/mail-picture';
import { renderPool } from '@/server/platform/rendering/render-pool';
import type { NewConversationInput } from './message.schema';
import type { TakenAttachment } from './upload.service';

/** What an email says in both of its parts, before signature and quotation. */
export interface OutgoingContent {
  text: string;
  /** Null to be made from the text. */
  html: string | null;
  /** Ids of the attachments that the HTML shows. */
  pictures: string[];
}

/**
 * The content of an email in plain text or Markdown. Call it before the transaction: Markdown is rendered in a thread.
 *
 * @throws AppError invalid_request for Markdown together with HTML
 * @throws QueueFull if no thread was free in time
 */
export async function outgoingContent(
  identityId: string,
  { format, text, html }: Pick<NewConversationInput, 'format' | 'text' | 'html'>,
): Promise<OutgoingContent> {
  if (format !== 'markdown') return { text, html: html ?? null, pictures: [] };
  if (html) throw invalidFields({ html: 'can’t be given with `format` markdown' });
  return renderPool().mailMarkdown(text, { owner: identityId });
}

/**
 * The attachments of an email, of which some are pictures in its text.
 *
 * @throws AppError invalid_request for a picture that is no attachment, or an attachment that is no picture
 */
export function withPictures(attachments: readonly TakenAttachment[], pictures: readonly string[]): TakenAttachment[] {
  const shown = new Set(pictures);
  const problemOf = (id: string) => {
    const attachment = attachments.find((each) => each.id === id);
    if (!attachment) return `shows the picture ${id}, which is not in attachmentIds`;
    return attachment.contentType.startsWith('image/') ? null : `shows ${id}, which is not a picture`;
  };
  for (const id of shown) {
    const problem = problemOf(id);
    if (problem !== null) throw invalidFields({ text: problem });
  }
  return attachments.map((attachment) =>
    shown.has(attachment.id) ? { ...attachment, contentId: pictureContentId(attachment.id), isInline: true } : attachment,
  );
}

/** The text of a draft whose attachments have other ids than in the email that it was. */
export function renamePictures(text: string, attachments: readonly { id: string; contentId: string | null }[]): string {
  return attachments.reduce((renamed, { id, contentId }) => {
    const former = contentId?.split('@')[0];
    return former === undefined || former === id ? renamed : renamed.replaceAll(`attachment:${former}`, `attachment:${id}`);
  }, text);
}
