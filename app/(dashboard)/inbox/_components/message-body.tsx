'use client';

import { useState } from 'react';
import type { MessageRecord } from '@/server/modules/conversations/message.schema';
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
  const shown = attachments.filter((attachment) => !(attachment.isInline && html !== null));
  return (
    <>
      {form === 'formatted' ? (
        <MailFrame message={message} withImages={withImages} onShowImages={() => setWithImages(true)} />
      ) : (
        <MessageText text={text} />
      )}
      {html !== null && hasText && (
        <button
          type="button"
          onClick={() => setForm(form === 'text' ? 'formatted' : 'text')}
          className="mt-2 -ml-1 min-h-6 rounded-sm px-1 text-xs text-muted hover:bg-surface-hover hover:text-foreground focus-visible:outline-2 focus-visible:outline-focus"
        >
          {form === 'text' ? 'Show formatted' : 'Show as text'}
        </button>
      )}
      {shown.length > 0 && <AttachmentChips attachments={shown} identityId={message.identityId} />}
    </>
  );
}
