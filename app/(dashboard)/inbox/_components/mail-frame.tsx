'use client';

import { ImageOff } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Button } from '@/app/_kit/button';
import type { MessageRecord } from '@/server/features/conversations/message.schema';
import { nameOf } from './conversation-labels';

/**
 * The class that switches a mail's page to dark: `darkMailClass` of server/platform/mail/html-view.ts, which pages of the
 * dashboard do not import.
 */
const darkMailClass = 'frontdesk-dark';

interface MailFrameProps {
  message: MessageRecord;
  withImages: boolean;
  /** Uses the colours of the dark theme. */
  isDark: boolean;
  onShowImages: () => void;
}

/**
 * The HTML of a mail in its own frame: no scripts, and no remote images until they are requested, since loading them tells the
 * sender when and where the mail is read. Its height follows its content.
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
      // The page omits the source of remote images.
      setHasBlockedImages(page.querySelector('img:not([src])') !== null);
      stop = fitToContent(element, page);
    };
    element.addEventListener('load', onLoad);
    // A frame that the server rendered may have loaded already.
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
          <span className="min-w-0 flex-1">Remote images are blocked.</span>
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

/** In pixels; taller mail scrolls within its frame. */
const heightMaximum = 6_000;
const lowest = 48;
/** The fixed height of a page whose height depends on its frame's. */
const elasticHeight = 600;

/** Room for a scroll bar below pages that are wider than their frame. */
const scrollBar = 16;

/** Passes shortcuts on to the page around the frame; pressed inside a mail, they would be lost otherwise. */
function passOnKeys(page: Document): () => void {
  const passOn = ({ key, ctrlKey, metaKey, altKey, shiftKey, repeat }: KeyboardEvent) => {
    document.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, metaKey, altKey, shiftKey, repeat, cancelable: true }));
  };
  page.addEventListener('keydown', passOn);
  return () => page.removeEventListener('keydown', passOn);
}

/**
 * Keeps a frame as high as its page while images load and quotes unfold. A page whose height depends on its frame's would grow
 * without end; it gets a fixed height and scrolls.
 *
 * @returns a function that stops it
 */
function fitToContent(frame: HTMLIFrameElement, page: Document): () => void {
  const contentHeight = () => {
    const { scrollWidth, clientWidth } = page.documentElement;
    return Math.ceil(page.body.getBoundingClientRect().height) + (scrollWidth > clientWidth ? scrollBar : 0);
  };
  const observer = new ResizeObserver(() => {
    const height = Math.min(Math.max(contentHeight(), lowest), heightMaximum);
    frame.style.height = `${height}px`;
    if (height < heightMaximum && contentHeight() > height) {
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
