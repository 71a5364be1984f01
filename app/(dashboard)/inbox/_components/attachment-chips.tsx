import {
  Calendar,
  Download,
  File,
  FileArchive,
  FileAudio,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileVideo,
  type LucideIcon,
  Mail,
} from 'lucide-react';
import type { AttachmentRecord } from '@/server/features/conversations/message.schema';
import { type AttachmentKind, attachmentKind } from './attachment-kind';
import { formatSize } from './conversation-words';

const icons: Record<AttachmentKind, LucideIcon> = {
  image: FileImage,
  document: FileText,
  sheet: FileSpreadsheet,
  archive: FileArchive,
  audio: FileAudio,
  video: FileVideo,
  calendar: Calendar,
  mail: Mail,
  file: File,
};

/** The files that came with a message, to download. */
export function AttachmentChips({ attachments, identityId }: { attachments: readonly AttachmentRecord[]; identityId: string }) {
  return (
    <ul aria-label="Attachments" className="mt-4 flex flex-wrap gap-2">
      {attachments.map((attachment) => {
        const Icon = icons[attachmentKind(attachment)];
        return (
          <li key={attachment.id} className="max-w-full">
            <a
              href={`/api/mail/attachments/${attachment.id}?identity=${identityId}`}
              download={attachment.filename}
              title={attachment.filename}
              className="group flex h-9 max-w-72 items-center gap-2 rounded-md border border-border bg-surface px-2.5 text-label hover:bg-surface-hover"
            >
              <Icon aria-hidden className="size-4 shrink-0 text-muted group-hover:hidden" strokeWidth={1.75} />
              <Download aria-hidden className="hidden size-4 shrink-0 text-muted group-hover:block" strokeWidth={1.75} />
              <span className="min-w-0 truncate">{attachment.filename}</span>
              <span className="shrink-0 text-xs text-muted">{formatSize(attachment.size)}</span>
              <span className="sr-only">, download</span>
            </a>
          </li>
        );
      })}
    </ul>
  );
}
