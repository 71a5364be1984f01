'use client';

import { useTheme } from 'next-themes';
import { type ReactNode, useState } from 'react';
import { useIsHydrated } from '@/app/_kit/use-is-hydrated';
import type { MessageRecord } from '@/server/features/conversations/message.schema';
import { AttachmentChips } from './attachment-chips';
import { MailFrame } from './mail-frame';
import { MessageText } from './message-text';

type Form = 'formatted' | 'text';

/**
 * What was written. Mail that came in as HTML is shown so; our own is shown as the text it was written as. Where there are both, one
 * may choose.
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
            {form === 'text' ? 'Show formatted' : 'Show as text'}
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
