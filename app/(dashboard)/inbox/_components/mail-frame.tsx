'use client';

import { ImageOff } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '@/app/_kit/button';
import type { MessageRecord } from '@/server/features/conversations/message.schema';
import { nameOf } from './conversation-words';
import { darkMailClass } from './dark-mail';
import { fitToContent } from './fit-to-content';

interface MailFrameProps {
  message: MessageRecord;
  withImages: boolean;
  /** Shows it in the colours of the dark theme. */
  isDark: boolean;
  onShowImages: () => void;
}

/**
 * The HTML of a mail in a frame of its own: no scripts, and no images from elsewhere until they are asked for, since loading them
 * tells the sender that and where the mail is read. It is as high as what it shows.
 */
export function MailFrame({ message, withImages, isDark, onShowImages }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [hasBlockedImages, setHasBlockedImages] = useState(false);
  const source = `/api/mail/messages/${message.id}/html?identity=${message.identityId}&images=${withImages ? 1 : 0}`;

  const paint = useEffectEvent((page: Document) => page.documentElement.classList.toggle(darkMailClass, isDark));
  useEffect(() => {
    frame.current?.contentDocument?.documentElement?.classList.toggle(darkMailClass, isDark);
  }, [isDark]);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    let stop: (() => void) | undefined;
    const onLoad = () => {
      stop?.();
      const page = element.contentDocument;
      if (!page?.body || page.URL === 'about:blank') return;
      paint(page);
      // The page leaves out where an image would come from, if that is elsewhere.
      setHasBlockedImages(page.querySelector('img:not([src])') !== null);
      stop = fitToContent(element, page);
    };
    element.addEventListener('load', onLoad);
    // What came with the page from the server may be loaded by now.
    if (element.contentDocument?.readyState === 'complete') onLoad();
    return () => {
      element.removeEventListener('load', onLoad);
      stop?.();
    };
  }, []);

  return (
    <>
      {hasBlockedImages && !withImages && (
        <div className="mb-2 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-md bg-default px-3 py-1.5 text-label">
          <ImageOff aria-hidden className="size-4 shrink-0 text-muted" />
          <span className="min-w-0 flex-1">Images from the web are not loaded.</span>
          <Button variant="secondary" size="sm" onPress={onShowImages}>
            Show images
          </Button>
        </div>
      )}
      <iframe
        ref={frame}
        src={source}
        title={`Message from ${nameOf(message.from)}, formatted`}
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        loading="lazy"
        className={`-mx-4 block h-24 w-[calc(100%+2rem)] max-w-none scheme-light sm:-mr-0 sm:w-[calc(100%+1rem)] sm:rounded-md ${isDark ? 'bg-[#191817]' : 'bg-white'}`}
      />
    </>
  );
}
