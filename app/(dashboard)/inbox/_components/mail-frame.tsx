'use client';

import { ImageOff } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '@/app/_kit/button';
import type { MessageRecord } from '@/server/features/conversations/message.schema';
import { nameOf } from './conversation-labels';

/** The class that turns a mail's page dark; `darkMailClass` of server/platform/mail/html-view.ts, which no page of the dashboard loads. */
const darkMailClass = 'frontdesk-dark';

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

/** In pixels; what is higher scrolls in its frame. */
const highest = 6_000;
const lowest = 48;
/** Where a page is as high as its frame and then some, this has to do. */
const elasticHeight = 600;

/** Room for a scroll bar below pages that are wider than their frame. */
const scrollBar = 16;

/** Keys that the page around the frame knows; typed into a mail, they would be lost otherwise. */
function passOnKeys(page: Document): () => void {
  const passOn = ({ key, ctrlKey, metaKey, altKey, shiftKey, repeat }: KeyboardEvent) => {
    document.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, metaKey, altKey, shiftKey, repeat, cancelable: true }));
  };
  page.addEventListener('keydown', passOn);
  return () => page.removeEventListener('keydown', passOn);
}

/**
 * Keeps a frame as high as the page in it, while images load and quotes unfold. A page whose height follows from its frame's would
 * grow without end; it gets a fixed height and scrolls.
 *
 * @returns stops it
 */
function fitToContent(frame: HTMLIFrameElement, page: Document): () => void {
  const contentHeight = () => {
    const { scrollWidth, clientWidth } = page.documentElement;
    return Math.ceil(page.body.getBoundingClientRect().height) + (scrollWidth > clientWidth ? scrollBar : 0);
  };
  const observer = new ResizeObserver(() => {
    const height = Math.min(Math.max(contentHeight(), lowest), highest);
    frame.style.height = `${height}px`;
    if (height < highest && contentHeight() > height) {
      observer.disconnect();
      frame.style.height = `${elasticHeight}px`;
    }
  });
  observer.observe(page.body);
  const stopKeys = passOnKeys(page);
  return () => {
    observer.disconnect();
    stopKeys();
  };
}
