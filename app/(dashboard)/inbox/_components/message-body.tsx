'use client';

import {
  Calendar,
  Download,
  Ellipsis,
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
import { useTheme } from 'next-themes';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { Button } from '@/app/_kit/button';
import { LinkedText } from '@/app/_kit/linked-text';
import { useIsHydrated } from '@/app/_kit/use-is-hydrated';
import type { AttachmentRecord, MessageRecord } from '@/server/features/conversations/message.schema';
import { splitQuoted } from '@/server/platform/mail/mail-text';
import { type AttachmentKind, attachmentKind } from './attachment-kind';
import { formatSize } from './conversation-labels';
import { MailFrame } from './mail-frame';

type Form = 'formatted' | 'text';

/**
 * The content of a message. Incoming HTML mail is shown as HTML, our own as the text it was written in. With both, the user can
 * choose.
 */
export function MessageBody({ message }: { message: MessageRecord }) {
  const { html, text, direction, attachments } = message;
  const hasText = text.trim() !== '';
  const [form, setForm] = useState<Form>(html !== null && (direction === 'inbound' || !hasText) ? 'formatted' : 'text');
  const [withImages, setWithImages] = useState(false);
  const isDarkTheme = useIsDark();
  const [isOriginal, setIsOriginal] = useState(false);
  const shown = attachments.filter((attachment) => !(attachment.isInline && html !== null));
  return (
    <>
      {form === 'formatted' ? (
        <MailFrame
          message={message}
          withImages={withImages}
          isDark={isDarkTheme && !isOriginal}
          onShowImages={() => setWithImages(true)}
        />
      ) : (
        <MessageText text={text} />
      )}
      <div className="mt-2 -ml-1 flex flex-wrap gap-x-3 empty:hidden">
        {html !== null && hasText && (
          <QuietButton onClick={() => setForm(form === 'text' ? 'formatted' : 'text')}>
            {form === 'text' ? 'Show original formatting' : 'Show plain text'}
          </QuietButton>
        )}
        {form === 'formatted' && isDarkTheme && (
          <QuietButton onClick={() => setIsOriginal(!isOriginal)}>
            {isOriginal ? 'Show in dark colors' : 'Show original colors'}
          </QuietButton>
        )}
      </div>
      {shown.length > 0 && <AttachmentChips attachments={shown} identityId={message.identityId} />}
    </>
  );
}

function QuietButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="min-h-6 rounded-sm px-1 text-xs text-muted hover:bg-surface-hover hover:text-foreground focus-visible:outline-2 focus-visible:outline-focus"
    >
      {children}
    </button>
  );
}

function useIsDark(): boolean {
  const isHydrated = useIsHydrated();
  const { resolvedTheme } = useTheme();
  return isHydrated && resolvedTheme === 'dark';
}

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

/** The attachments of a message, to download. */
function AttachmentChips({ attachments, identityId }: { attachments: readonly AttachmentRecord[]; identityId: string }) {
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

/** In characters; the rest of a longer text is shown on request, so that one message never slows down the page. */
const shownCharacters = 40_000;

/** A plain text with links; quoted mail is collapsed. */
function MessageText({ text }: { text: string }) {
  const { fresh, quoted } = useMemo(() => splitQuoted(text), [text]);
  const [isQuoteOpen, setIsQuoteOpen] = useState(false);
  const quoteId = useId();
  if (text.trim() === '') return <p className="text-muted">This message has no text.</p>;
  // A message with nothing but a quote shows it.
  if (fresh.trim() === '') return <PlainText text={text.trim()} />;
  return (
    <>
      <PlainText text={fresh.trim()} />
      {quoted.trim() !== '' && (
        <>
          <button
            type="button"
            aria-expanded={isQuoteOpen}
            aria-controls={isQuoteOpen ? quoteId : undefined}
            aria-label={isQuoteOpen ? 'Hide quoted text' : 'Show quoted text'}
            title={isQuoteOpen ? 'Hide quoted text' : 'Show quoted text'}
            onClick={() => setIsQuoteOpen(!isQuoteOpen)}
            className="mt-3 flex h-6 w-8 items-center justify-center rounded-md bg-default text-muted hover:bg-default-hover hover:text-foreground focus-visible:outline-2 focus-visible:outline-focus"
          >
            <Ellipsis aria-hidden className="size-4" />
          </button>
          {isQuoteOpen && (
            <div id={quoteId} className="mt-2 border-l-2 border-border pl-3 text-muted">
              <PlainText text={quoted.trim()} />
            </div>
          )}
        </>
      )}
    </>
  );
}

function PlainText({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole || text.length <= shownCharacters ? text : text.slice(0, shownCharacters).toWellFormed();
  return (
    <>
      <LinkedText text={shown} className="max-w-[68ch] text-base" />
      {shown !== text && (
        <Button variant="secondary" size="sm" className="mt-3" onPress={() => setIsWhole(true)}>
          Show full message
        </Button>
      )}
    </>
  );
}
