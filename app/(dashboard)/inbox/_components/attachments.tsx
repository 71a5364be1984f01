import { useMutation } from '@tanstack/react-query';
import { Download, FileX, Trash2 } from 'lucide-react';
import { useId, useState } from 'react';
import { ConfirmDialog } from '@/app/_kit/confirm-dialog';
import { DisclosureButton } from '@/app/_kit/disclosure-button';
import { IconButton } from '@/app/_kit/icon-button';
import { RelativeTime } from '@/app/_kit/relative-time';
import { toast } from '@/app/_kit/toast';
import { useTRPC } from '@/app/_trpc/client';
import type { AttachmentRecord, MessageRecord } from '@/server/features/conversations/message.schema';
import { AttachmentIcon } from '../../_components/uploads/attachment-icon';
import { formatSize } from './conversation-labels';
import { changeKey, useConversationCache } from './use-conversation-cache';

/** The attachments of a message, to download and delete, and those that were deleted. Pictures that its HTML shows are listed on request. */
export function Attachments({ message }: { message: MessageRecord }) {
  const { html, attachments, removedAttachments } = message;
  const [asking, setAsking] = useState<AttachmentRecord | null>(null);
  const [isListingInline, setIsListingInline] = useState(false);
  const inlineListId = useId();
  const isInText = ({ isInline }: AttachmentRecord) => isInline && html !== null;
  const inline = attachments.filter(isInText);
  if (attachments.length + removedAttachments.length === 0) return null;
  const chipOf = (attachment: AttachmentRecord) => (
    <AttachmentChip
      key={attachment.id}
      attachment={attachment}
      identityId={message.identityId}
      onDelete={() => setAsking(attachment)}
    />
  );
  return (
    <>
      <ul aria-label="Attachments" className="mt-4 flex flex-wrap gap-2 empty:hidden">
        {attachments.filter((attachment) => !isInText(attachment)).map(chipOf)}
        {removedAttachments.map(({ filename, size, removedAt }) => (
          <li
            key={`${removedAt} ${filename}`}
            className="flex h-9 max-w-full items-center gap-2 rounded-md border border-dashed border-border px-2.5 text-label text-muted"
          >
            <FileX aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
            <span className="min-w-0 truncate" title={filename}>
              {filename}
            </span>
            <span className="shrink-0 text-xs">
              {formatSize(size)}, deleted <RelativeTime value={removedAt} />
            </span>
          </li>
        ))}
      </ul>
      {inline.length > 0 && (
        <>
          <DisclosureButton
            isOpen={isListingInline}
            onOpenChange={setIsListingInline}
            panelId={inlineListId}
            className="mt-3 flex items-center gap-1 text-label text-muted hover:text-foreground"
          >
            Pictures in the text ({inline.length})
          </DisclosureButton>
          <div id={inlineListId} hidden={!isListingInline}>
            <ul aria-label="Pictures in the text" className="mt-2 flex flex-wrap gap-2">
              {inline.map(chipOf)}
            </ul>
          </div>
        </>
      )}
      {asking && <DeleteAttachment message={message} attachment={asking} onClose={() => setAsking(null)} />}
    </>
  );
}

interface AttachmentChipProps {
  attachment: AttachmentRecord;
  identityId: string;
  onDelete: () => void;
}

function AttachmentChip({ attachment, identityId, onDelete }: AttachmentChipProps) {
  const { id, filename, size } = attachment;
  return (
    <li className="flex h-9 max-w-full items-center rounded-md border border-border bg-surface">
      <a
        href={`/api/mail/attachments/${id}?identity=${identityId}`}
        download={filename}
        title={filename}
        className="group flex h-full max-w-72 min-w-0 items-center gap-2 rounded-l-md pr-1.5 pl-2.5 text-label hover:bg-surface-hover"
      >
        <AttachmentIcon attachment={attachment} className="size-4 shrink-0 text-muted group-hover:hidden" />
        <Download aria-hidden className="hidden size-4 shrink-0 text-muted group-hover:block" strokeWidth={1.75} />
        <span className="min-w-0 truncate">{filename}</span>
        <span className="shrink-0 text-xs text-muted">{formatSize(size)}</span>
        <span className="sr-only">, download</span>
      </a>
      <IconButton label={`Delete ${filename}`} hint="Delete attachment" needs="conversations:write" onPress={onDelete}>
        <Trash2 aria-hidden className="size-4 text-muted" strokeWidth={1.75} />
      </IconButton>
    </li>
  );
}

interface DeleteAttachmentProps {
  message: MessageRecord;
  attachment: AttachmentRecord;
  onClose: () => void;
}

function DeleteAttachment({ message, attachment, onClose }: DeleteAttachmentProps) {
  const trpc = useTRPC();
  const cache = useConversationCache();
  const remove = useMutation({
    ...trpc.conversations.deleteAttachment.mutationOptions({
      onSuccess: () => {
        onClose();
        toast('Attachment deleted', { description: attachment.filename });
      },
      onError: (error) => toast.failure('Couldn’t delete the attachment.', error),
      onSettled: cache.settle,
    }),
    mutationKey: [...changeKey, 'delete attachment'],
  });
  const { id: messageId, conversationId } = message;
  return (
    <ConfirmDialog
      isOpen
      onOpenChange={onClose}
      title={`Delete “${attachment.filename}”?`}
      description="The file is permanently deleted, and its storage is free again. The message keeps its name and size. This can’t be undone."
      confirmLabel="Delete attachment"
      tone="danger"
      isPending={remove.isPending}
      onConfirm={() => remove.mutate({ conversationId, messageId, attachmentId: attachment.id })}
    />
  );
}
