import {
  Calendar,
  File,
  FileArchive,
  FileAudio,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileVideo,
  type LucideIcon,
  type LucideProps,
  Mail,
} from 'lucide-react';
import { type AttachmentKind, attachmentKind } from './attachment-kind';

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

interface AttachmentIconProps extends LucideProps {
  attachment: { filename: string; contentType: string };
}

export function AttachmentIcon({ attachment, ...props }: AttachmentIconProps) {
  const Icon = icons[attachmentKind(attachment)];
  return <Icon aria-hidden strokeWidth={1.75} {...props} />;
}
